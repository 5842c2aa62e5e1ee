package dev.millrace.keyspace.redis.embedded;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One process's claim on a server directory, held for the life of its server. Redis itself does not
 * look: two servers start happily on one append-only file and ruin it.
 *
 * <p>This lock goes with the process. A server that outlives it by a moment is kept out of the next
 * one's way by a second lock, which it holds itself: see {@link ServerProcess}. The two use
 * different files, because on some systems they would meet.
 */
final class ServerLock implements AutoCloseable {

    /**
     * Directories that this process has locked. Asked before the file is opened, because closing
     * any descriptor of a file gives up all locks that the process holds on it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    /** Device and number of the file, where the platform has such. */
    private final @Nullable Object fileKey;

    private ServerLock(Path directory, FileChannel channel, @Nullable Object fileKey) {
        this.directory = directory;
        this.channel = channel;
        this.fileKey = fileKey;
    }

    /**
     * Takes the lock on a directory that exists.
     *
     * @throws EmbeddedServerException when it is taken
     */
    static ServerLock take(Path directory) throws IOException {
        Path real = directory.toRealPath();
        if (!HELD.add(real)) {
            throw refused(directory, "this process");
        }
        FileChannel channel = null;
        boolean taken = false;
        try {
            channel =
                    FileChannel.open(
                            file(real),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                throw refused(directory, "the process with id " + read(channel));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid())
                                    .getBytes(StandardCharsets.US_ASCII)),
                    0);
            ServerLock lock = new ServerLock(real, channel, fileKey(real));
            taken = true;
            return lock;
        } finally {
            if (!taken) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(real);
            }
        }
    }

    private static Path file(Path directory) {
        return directory.resolve("hub.lock");
    }

    private static @Nullable Object fileKey(Path directory) throws IOException {
        return Files.readAttributes(file(directory), BasicFileAttributes.class).fileKey();
    }

    /**
     * Whether the directory is still the one that was locked. One that was removed or unmounted
     * must not be made anew: a server would begin there with nothing.
     */
    boolean holds() {
        try {
            return Objects.equals(fileKey, fileKey(directory));
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByAnotherClassLoader) {
            return null;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20);
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    }

    private static EmbeddedServerException refused(Path directory, String holder) {
        return new EmbeddedServerException(
                "The embedded server of "
                        + directory
                        + " already belongs to "
                        + holder
                        + ". Stop that one first, or choose "
                        + EmbeddedServer.OTHER_DIRECTORY
                        + ".");
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD.remove(directory);
        }
    }
}
