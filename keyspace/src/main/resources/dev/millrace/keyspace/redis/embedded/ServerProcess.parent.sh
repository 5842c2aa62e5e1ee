# parent: runs the embedded server as its child and ends it when standard input closes.
# usage: sh ServerProcess.parent.sh SERVER CONFIG LOCK, in the directory of the server's data
# Standard input is a pipe from the program that nobody ever writes to. However that ends, kill -9
# included, the kernel closes the pipe, and that is the sign. Standard output gets one line, the
# server's process id; standard error is the server's log. The exit code is the server's, or 75
# when another server still holds LOCK.
# Why a shell: the JVM can tell nobody that it was killed, and can hand no lock to a child.

# Ctrl-C in a terminal goes to every process of the foreground group, and the server would catch
# it and stop before the program is done with it. In a session of our own it never arrives.
if [ "$1" = --own-session ]; then
    shift
    own_session=yes
elif command -v setsid >/dev/null 2>&1; then
    exec setsid sh "$0" --own-session "$@"
elif command -v perl >/dev/null 2>&1; then
    # macOS has no setsid program.
    exec perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV' sh "$0" --own-session "$@"
else
    own_session=no
fi
trap '' HUP INT QUIT

server=$1
config=$2
lock=$3

# The lock belongs to the open file, which the server inherits: it is free when the last of
# us is gone, not when the program is. Codes other than 1 mean that this file system cannot lock; then
# the lock of the program has to do.
exec 9>>"$lock" || exit 1
locked=0
if command -v flock >/dev/null 2>&1; then
    flock -n 9
    locked=$?
elif command -v perl >/dev/null 2>&1; then
    perl -MErrno=EWOULDBLOCK -e \
        'open(F, ">&=", 9); exit 0 if flock(F, 6); exit($! == EWOULDBLOCK ? 1 : 2)'
    locked=$?
fi
[ "$locked" -eq 1 ] && exit 75

# What a killed server was writing when it died; nothing else ever removes it.
rm -f temp-*.aof temp-*.rdb

exec 3<&0
"$server" "$config" </dev/null >&2 3<&- &
pid=$!
echo "$pid"
exec >/dev/null

# A process of its own, so that it does its work even if somebody kills the shell that waits.
(
    while read -r _; do :; done <&3
    # SIGTERM makes the server write and sync its append-only file. What it has acknowledged is
    # with the kernel anyway, so a server that does not listen loses nothing by SIGKILL.
    kill -s TERM "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sleep 1
        kill -0 "$pid" || exit 0
    done
    kill -s KILL "$pid"
) 2>/dev/null 9>&- &
watcher=$!
exec 3<&-

wait "$pid"
status=$?
# Ends the watcher and, in a session that is ours alone, a child of the server that was rewriting
# the append-only file: it would go on for minutes, and hold the lock as long.
if [ "$own_session" = yes ]; then
    trap '' USR1
    kill -s USR1 0
else
    kill "$watcher"
fi
exit "$status"
