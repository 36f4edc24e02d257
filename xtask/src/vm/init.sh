#!/bin/busybox sh
# The first process inside: mounts what is missing, runs every test as every user, tells how each ended, and leaves.
# What is told on the second serial line is read by `console.rs`. Its own programs are busybox's, also where the
# tests have others by the same name.
export PATH=/bin
inside() { busybox "$@"; }

inside mount -t proc proc /proc
inside mount -t sysfs sys /sys
inside mount -t devtmpfs dev /dev
inside mount -t securityfs security /sys/kernel/security
# Not over /tmp: the programs lie where they were built, which may be there.
inside chmod 1777 /tmp
inside mkdir -p /vm/tmp
inside mount -t tmpfs -o mode=1777,nosuid,nodev tmp /vm/tmp
cgroups=/sys/fs/cgroup
inside mount -t cgroup2 cgroup $cgroups
exec >/dev/ttyS1 2>&1 </dev/null
inside ln -s /proc/self/fd /dev/fd
for at in 0:stdin 1:stdout 2:stderr; do
    inside ln -s /proc/self/fd/${at%:*} /dev/${at#*:}
done
inside ip link set lo up
inside chown 1000:1000 /home/user

for controller in cpu io memory pids; do
    echo +$controller >$cgroups/cgroup.subtree_control
done
read -r uptime rest </proc/uptime
read -r controllers <$cgroups/cgroup.subtree_control
read -r security </sys/kernel/security/lsm || true
echo "@vm boot in $uptime s, linux $(inside uname -r), controllers: $controllers, security: $security"

# run WHO CGROUP PACKAGE PROGRAM: the process has moved into its cgroup before it is the test.
run() {
    echo "@vm begin $1 $3"
    account=user
    [ "$1" = root ] && account=root
    inside sh -c 'echo $$ >"$1/cgroup.procs" && exec busybox su -s /bin/sh "$2" -c "exec \"$3\" --color never $4"' \
        sh "$2" "$account" "$4" "$filter"
    echo "@vm end $1 $3 $?"
}

read -r filter </vm/filter || true
read -r MUR_PLAN_BIN </vm/command || true
export MUR_PLAN_BIN TMPDIR=/vm/tmp PLAN_TEST_CGROUP=kernel
# Nothing of the sources is there: a snapshot is compared, and its place is not looked for.
export INSTA_UPDATE=no INSTA_WORKSPACE_ROOT=/vm RUST_BACKTRACE=0 NO_COLOR=1 TERM=dumb
count=0
while read -r package program; do
    count=$((count + 1))
    for who in root user undelegated; do
        group=$cgroups/$who-$count
        inside mkdir $group
        if [ $who = user ]; then
            (cd $group && inside chown 1000:1000 . cgroup.procs cgroup.threads cgroup.subtree_control)
        fi
        run $who $group "$package" "$program" </dev/null
    done
done </vm/tests
echo "@vm done"
inside sync
inside poweroff -f
