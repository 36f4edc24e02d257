//! `cargo xtask browser [FILTER]`: opens the timelines of traces in a Chromium and looks at them.
//!
//! Each page is opened as it is, for what the browser says of it, and as a copy with a script that looks for text
//! without contrast, for what overlaps or runs out, for what a keyboard or a screen reader misses, and for anything
//! foreign. The browser's pictures stay below `target/browser` for a person to look at.

mod chromium;
mod inspect;
mod looks;
mod pages;
mod traces;

use std::{fs, path::Path, time::Instant};

use chromium::Chromium;
use looks::Looks;

/// Opens every page whose name has the filter in it in every look, and fails when one has a fault.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let begin = Instant::now();
    let filter = match words {
        [] => "",
        [filter] if !filter.starts_with('-') => filter,
        _ => return Err("`browser` takes one part of a page's name, and no option".to_owned()),
    };
    let command = pages::command(root)?;
    let folder = command.target.join("browser");
    // What an earlier run left could be taken for what this one saw.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| at(&folder, &error))?;
    }
    fs::create_dir_all(&folder).map_err(|error| at(&folder, &error))?;
    let chromium = Chromium::find(&folder)?;
    let mut pages = pages::make(root, &folder, &command)?;
    pages.retain(|page| page.name.contains(filter));
    if pages.is_empty() {
        return Err(format!("no page has `{filter}` in its name"));
    }
    let mut faults = 0;
    for page in pages {
        for looks in Looks::ALL {
            let seen = inspect::inspect(&chromium, &page, looks)?;
            for note in &seen.notes {
                println!("{} {}: {note}", page.name, looks.name());
            }
            for fault in &seen.faults {
                println!("{} {}: FAULT: {fault}", page.name, looks.name());
            }
            faults += seen.faults.len();
        }
        // A page of thousands of rows takes minutes to print, and looks the same.
        if page.is_pictured && page.rows < 100 && !page.is_svg {
            inspect::print(&chromium, &page)?;
        }
    }
    let took = begin.elapsed().as_secs();
    println!(
        "==> pictures and pages are in {}, {took} s",
        folder.display()
    );
    match faults {
        0 => Ok(()),
        1 => Err("a page has a fault".to_owned()),
        _ => Err(format!("the pages have {faults} faults")),
    }
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
