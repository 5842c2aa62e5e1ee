package dev.millrace.keyspace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that a test starts, kills and starts again: nobody else may get one in between.
 * So they lie below those that systems give to outgoing connections, and each belongs to the JVM
 * that took it until that JVM ends, by the lock of one byte in a file that all test runs of the
 * user share. None is given twice: a client that is left over from one test must not find the
 * server of another one.
 *
 * <p>Safe for use by several threads.
 */
public final class TestPorts {
    private static final int FIRST = 12_000;

    /** The second port of a node of a cluster is 10 000 higher, and is to lie below as well. */
    private static final int LAST = 22_000;

    private static final int ATTEMPTS = 1000;

    /** Never closed: closing any channel of the file would give back all locks. */
    private static final FileChannel TAKEN = open();

    private TestPorts() {}

    private static FileChannel open() {
        Path file =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "millrace-test-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port of the loopback address on which nobody listens, for this JVM alone. */
    public static int take() {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (locked(port) && free(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No port is free from " + FIRST + " to " + LAST);
    }

    private static boolean locked(int port) {
        try {
            return TAKEN.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean free(int port) {
        try (ServerSocket socket =
                new ServerSocket(port, 1, InetAddress.ofLiteral(TestServer.HOST))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
