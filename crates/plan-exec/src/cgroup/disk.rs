//! The disk a directory is on, as `io.max` names it.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use rustix::fs::{major, minor, stat};

use super::file::{FileError, Files};

/// A whole disk: the kernel bounds those, not their partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disk {
    major: u32,
    minor: u32,
}

impl Disk {
    /// Finds the disk of `dir`; `devices` is `/sys/dev/block`.
    pub(super) fn of(files: &Files, devices: &Path, dir: &Path) -> Result<Self, NoDisk> {
        let stat =
            stat(dir).map_err(|error| NoDisk::Unread(FileError::reading(dir, error.into())))?;
        let device = Self {
            major: major(stat.st_dev),
            minor: minor(stat.st_dev),
        };
        device.whole(files, devices)
    }

    fn whole(self, files: &Files, devices: &Path) -> Result<Self, NoDisk> {
        if self.major == 0 {
            return Err(NoDisk::Anonymous(self));
        }
        let device = devices.join(self.to_string());
        match files.read(&device.join("partition")) {
            // A link into the tree of devices, in which a partition stands below its disk.
            Ok(_) => Self::read(files, device.join("../dev")),
            Err(error) if error.is_missing() => Self::read(files, device.join("dev")),
            Err(error) => Err(NoDisk::Unread(error)),
        }
    }

    fn read(files: &Files, path: PathBuf) -> Result<Self, NoDisk> {
        let text = files.read(&path).map_err(NoDisk::Unread)?;
        let parsed = text.trim().split_once(':').and_then(|(major, minor)| {
            Some(Self {
                major: major.parse().ok()?,
                minor: minor.parse().ok()?,
            })
        });
        parsed.ok_or(NoDisk::Strange(path))
    }
}

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// Why there is no disk to bound.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDisk {
    /// Overlay, tmpfs, btrfs, a network's: a number that stands for no disk.
    #[error("the workdir is on a file system without a disk of its own (device {0})")]
    Anonymous(Disk),
    /// The device is not told.
    #[error(transparent)]
    Unread(FileError),
    /// The kernel's file says something else.
    #[error("`{}` names no device", .0.display())]
    Strange(PathBuf),
}

/// Where the kernel lists block devices by number.
pub(super) const DEVICES: &str = "/sys/dev/block";

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// spec: What a plan may reach. Reading and writing are bounded for the disk, whichever partition of it the
    /// workdir is on, and not at all where there is no disk.
    #[test]
    fn a_partition_stands_for_its_disk() {
        let sys = tempfile::tempdir().unwrap();
        let tree = sys.path().join("devices/pci0/block/sda");
        fs::create_dir_all(tree.join("sda2")).unwrap();
        fs::create_dir_all(tree.join("odd")).unwrap();
        fs::write(tree.join("dev"), "8:0\n").unwrap();
        fs::write(tree.join("sda2/dev"), "8:2\n").unwrap();
        fs::write(tree.join("sda2/partition"), "2\n").unwrap();
        fs::write(tree.join("odd/dev"), "none\n").unwrap();
        let devices = sys.path().join("dev/block");
        fs::create_dir_all(&devices).unwrap();
        for (number, target) in [("8:0", ""), ("8:2", "sda2"), ("8:9", "odd")] {
            let target = Path::new("../../devices/pci0/block/sda").join(target);
            symlink(target, devices.join(number)).unwrap();
        }
        let found = |major, minor| {
            let disk = Disk { major, minor }.whole(&Files::of_this_host(), &devices);
            disk.map_or_else(|error| error.to_string(), |disk| disk.to_string())
        };
        assert_eq!(found(8, 0), "8:0");
        assert_eq!(found(8, 2), "8:0");
        assert!(
            found(8, 9).ends_with("/8:9/dev` names no device"),
            "{}",
            found(8, 9)
        );
        assert!(found(8, 7).contains("No such file"), "{}", found(8, 7));
        assert_eq!(
            found(0, 44),
            "the workdir is on a file system without a disk of its own (device 0:44)"
        );
    }
    /// spec: What a plan may reach. Reading and writing have the same limit each.
    #[test]
    fn the_limit_of_a_disk_is_written_with_its_number() {
        let disk = Disk {
            major: 8,
            minor: 16,
        };
        let line = super::super::limits::ScopeLimits::default().io_max(disk);
        assert_eq!(line, "8:16 rbps=104857600 wbps=104857600");
    }
}
