#!/bin/sh
# The first process inside: mounts what is missing, runs every test as every user, tells how each ended, and leaves.
# What is told on the second serial line is read by `console.rs`.
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t securityfs security /sys/kernel/security
# Not over /tmp: the programs lie where they were built, which may be there.
chmod 1777 /tmp
mkdir -p /vm/tmp
mount -t tmpfs -o mode=1777,nosuid,nodev tmp /vm/tmp
cgroups=/sys/fs/cgroup
mount -t cgroup2 cgroup $cgroups
exec >/dev/ttyS1 2>&1 </dev/null
ln -s /proc/self/fd /dev/fd
ip link set lo up
chown 1000:1000 /home/user

for controller in cpu io memory pids; do
    echo +$controller >$cgroups/cgroup.subtree_control
done
echo "@vm boot $(cut -d. -f1 /proc/uptime) s, linux $(uname -r), controllers: $(cat $cgroups/cgroup.subtree_control)," \
    "security: $(cat /sys/kernel/security/lsm)"

# run WHO CGROUP PACKAGE PROGRAM: the process has moved into its cgroup before it is the test.
run() {
    echo "@vm begin $1 $3"
    account=user
    [ "$1" = root ] && account=root
    sh -c 'echo $$ >"$1/cgroup.procs" && exec su -s /bin/sh "$2" -c "exec \"$3\" --color never $4"' \
        sh "$2" "$account" "$4" "$(cat /vm/filter)"
    echo "@vm end $1 $3 $?"
}

export TMPDIR=/vm/tmp PLAN_TEST_CGROUP=kernel MUR_PLAN_BIN="$(cat /vm/command)" RUST_BACKTRACE=0
count=0
while read -r package program; do
    count=$((count + 1))
    for who in root user undelegated; do
        group=$cgroups/$who-$count
        mkdir $group
        if [ $who = user ]; then
            (cd $group && chown 1000:1000 . cgroup.procs cgroup.threads cgroup.subtree_control)
        fi
        run $who $group "$package" "$program" </dev/null
    done
done </vm/tests
echo "@vm done"
sync
poweroff -f
