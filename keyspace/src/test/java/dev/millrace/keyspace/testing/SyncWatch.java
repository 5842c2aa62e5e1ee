package dev.millrace.keyspace.testing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.keyspace.testing.Libc.Change;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongBinaryOperator;

/**
 * Turns the end of a server into a power cut. What a killed process has written is safe with the
 * kernel, so {@code kill -9} says nothing about fsync; after a power cut only that is sure to be
 * there which was synced. This watches the server's calls of fsync and fdatasync, knows how long
 * each file was when the last one that succeeded began, and cuts the files back when the server has
 * died, before anybody can start another.
 *
 * <p>It traces the server as a debugger does ({@code ptrace}), which needs no rights for a process
 * that we have started, directly or not, but makes it several times slower. The parent of a traced
 * process learns of its end only after the tracer: so the cut comes first also where the parent
 * starts the server again at once.
 *
 * <p>A file that was there when the watch began is taken as synced up to its length then. Files are
 * told apart by their inode, so renaming does no harm. What a forked child of the server syncs is
 * not seen: a test must not write so much that the append-only file is rewritten.
 */
public final class SyncWatch {
    private static final int PTRACE_SYSCALL = 24;
    private static final int PTRACE_SEIZE = 0x4206;
    private static final int PTRACE_INTERRUPT = 0x4207;
    private static final int PTRACE_LISTEN = 0x4208;
    private static final int PTRACE_GET_SYSCALL_INFO = 0x420e;
    private static final int OPTION_SYSGOOD = 1;
    private static final int OPTION_CLONE = 1 << 3;
    private static final int EVENT_STOP = 128;
    private static final int SIGTRAP = 5;
    private static final Set<Integer> STOP_SIGNALS = Set.of(19, 20, 21, 22);
    private static final int SYSCALL_STOP = SIGTRAP | 0x80;

    private static final int ANY = 0;
    private static final int ONE = 1;
    private static final int NO_HANG = 1;
    private static final int STOPPED = 2;
    private static final int EXITED = 4;
    private static final int DO_NOT_TAKE = 0x0100_0000;

    /** Threads too, but only what this thread traces: children of others are Java's to wait for. */
    private static final int OURS = 0x4000_0000 | 0x2000_0000;

    /** The largest code of a change that means the end: by itself, by a signal, with a dump. */
    private static final int LAST_END_CODE = 3;

    private static final int INFO_SIZE = 88;
    private static final int INFO_ENTRY = 1;
    private static final int INFO_EXIT = 2;
    private static final int INFO_NUMBER_OR_RESULT = 24;
    private static final int INFO_FIRST_ARGUMENT = 32;

    private final int pid;
    private final Path directory;
    private final Set<Long> syncCalls;
    private final CompletableFuture<@Nullable Void> attached = new CompletableFuture<>();
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private volatile LongBinaryOperator survivors = (synced, length) -> length;

    private volatile boolean killInSync;

    /** By inode. */
    private final Map<Object, Long> synced = new HashMap<>();

    /** Of threads that are in a sync: the file, and its length when it began. */
    private final Map<Integer, Syncing> syncing = new HashMap<>();

    private record Syncing(Object file, long length) {}

    /** This machine does not let us watch. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why);
        }
    }

    private SyncWatch(int pid, Path directory, Set<Long> syncCalls) {
        this.pid = pid;
        this.directory = directory;
        this.syncCalls = syncCalls;
    }

    /**
     * Begins to watch a process and its threads; it ends with the process.
     *
     * @param directory with the files that are cut back
     * @throws RefusedException if the platform has no such calls, or forbids them
     */
    public static SyncWatch of(long pid, Path directory) throws RefusedException {
        SyncWatch watch = new SyncWatch(Math.toIntExact(pid), directory, syncCalls());
        Thread.ofPlatform().daemon().name("sync-watch-" + pid).start(watch::run);
        try {
            watch.attached.join();
            return watch;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            throw e;
        }
    }

    private static Set<Long> syncCalls() throws RefusedException {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        if (system.equals("Linux") && processor.equals("amd64")) {
            return Set.of(74L, 75L);
        }
        if (system.equals("Linux") && processor.equals("aarch64")) {
            return Set.of(82L, 83L);
        }
        throw new RefusedException(
                "The numbers of system calls on " + system + " " + processor + " are not known.");
    }

    /**
     * What is left of a file when the process has ended, from its synced length and its length;
     * everything, if this is not called.
     */
    public void surviving(LongBinaryOperator bytes) {
        survivors = bytes;
    }

    /**
     * Kills the process at the worst moment: when it has written something and begins to sync it.
     */
    public void killInSync() {
        killInSync = true;
    }

    /** Waits for the end of the process; gives the bytes that were cut off. */
    public long awaitEnd() {
        return ended.join();
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            Libc libc = new Libc(arena);
            attach(libc);
            attached.complete(null);
            ended.complete(watch(libc, arena.allocate(INFO_SIZE, 8)));
        } catch (IOException | RuntimeException e) {
            attached.completeExceptionally(e);
            ended.completeExceptionally(e);
        }
    }

    private void attach(Libc libc) throws IOException {
        Set<Integer> threads = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (int thread : threads()) {
                if (threads.add(thread)) {
                    more = true;
                    seize(libc, thread);
                }
            }
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                BasicFileAttributes found = attributes(file);
                synced.put(key(found), found.size());
            }
        }
    }

    private void seize(Libc libc, int thread) throws RefusedException {
        long result = libc.ptrace(PTRACE_SEIZE, thread, 0, OPTION_SYSGOOD | OPTION_CLONE);
        if (result >= 0) {
            result = libc.ptrace(PTRACE_INTERRUPT, thread, 0, 0);
        }
        if (result < 0) {
            throw new RefusedException(
                    "The server cannot be traced on this machine: errno " + -result);
        }
    }

    private Set<Integer> threads() throws IOException {
        Set<Integer> threads = new HashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc().resolve("task"))) {
            for (Path entry : entries) {
                threads.add(Integer.valueOf(String.valueOf(entry.getFileName())));
            }
        }
        return threads;
    }

    private Path proc() {
        return Path.of("/proc", Integer.toString(pid));
    }

    /** Lets the threads go on from one system call to the next, until the last of them is gone. */
    private long watch(Libc libc, MemorySegment info) throws IOException {
        while (true) {
            // Only looked at, since taking the end of the process tells its parent.
            Change seen = libc.waitid(ANY, 0, EXITED | STOPPED | DO_NOT_TAKE | OURS);
            if (seen.pid() == -Libc.EINTR) {
                continue;
            }
            if (seen.pid() <= 0) {
                throw new IOException("The server was lost: errno " + -seen.pid());
            }
            if (seen.code() <= LAST_END_CODE) {
                // The first thread is reported as the last.
                long cut = seen.pid() == pid ? cut() : 0;
                libc.waitid(ONE, seen.pid(), EXITED | OURS);
                if (seen.pid() == pid) {
                    return cut;
                }
            } else {
                // One that was killed meanwhile must not be taken as dead here.
                Change stop = libc.waitid(ONE, seen.pid(), STOPPED | NO_HANG | OURS);
                if (stop.pid() > 0) {
                    goOn(libc, info, stop);
                }
            }
        }
    }

    private void goOn(Libc libc, MemorySegment info, Change stop) throws IOException {
        int signal = stop.status() & 0xff;
        int event = stop.status() >> 8;
        if (signal == SYSCALL_STOP) {
            systemCall(libc, info, stop.pid());
            signal = 0;
        } else if (event == EVENT_STOP && STOP_SIGNALS.contains(signal)) {
            libc.ptrace(PTRACE_LISTEN, stop.pid(), 0, 0);
            return;
        } else if (event != 0) {
            signal = 0;
        }
        // It fails where the thread was killed meanwhile, and the next change tells us so.
        libc.ptrace(PTRACE_SYSCALL, stop.pid(), 0, signal);
    }

    private void systemCall(Libc libc, MemorySegment info, int thread) throws IOException {
        if (libc.ptrace(PTRACE_GET_SYSCALL_INFO, thread, INFO_SIZE, info.address()) < 0) {
            return;
        }
        byte where = info.get(JAVA_BYTE, 0);
        long numberOrResult = info.get(JAVA_LONG, INFO_NUMBER_OR_RESULT);
        if (where == INFO_ENTRY && syncCalls.contains(numberOrResult)) {
            long descriptor = info.get(JAVA_LONG, INFO_FIRST_ARGUMENT);
            try {
                BasicFileAttributes file =
                        attributes(proc().resolve("fd").resolve(Long.toString(descriptor)));
                syncing.put(thread, new Syncing(key(file), file.size()));
                if (killInSync && file.size() > synced.getOrDefault(key(file), 0L)) {
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            } catch (NoSuchFileException e) {
                // Killed meanwhile, or no file: then this is nothing to rely on.
                syncing.remove(thread);
            }
        } else if (where == INFO_EXIT) {
            Syncing done = syncing.remove(thread);
            if (done != null && numberOrResult == 0) {
                synced.merge(done.file(), done.length(), Math::max);
            }
        }
    }

    private long cut() throws IOException {
        long cut = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                BasicFileAttributes found = attributes(file);
                long safe = Math.min(synced.getOrDefault(key(found), 0L), found.size());
                long left = survivors.applyAsLong(safe, found.size());
                if (left < found.size()) {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.truncate(left);
                    }
                    cut += found.size() - left;
                }
            }
        }
        return cut;
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class);
    }

    private static Object key(BasicFileAttributes file) {
        Object key = file.fileKey();
        if (key == null) {
            throw new UncheckedIOException(new IOException("The files here have no inodes."));
        }
        return key;
    }
}
