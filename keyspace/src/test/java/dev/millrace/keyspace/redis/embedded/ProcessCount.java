package dev.millrace.keyspace.redis.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the processes that work in a server's directory, again and again while it is open, and
 * remembers the most servers it ever saw at once. Linux only: it reads {@code /proc}.
 */
final class ProcessCount implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(3);

    private final Path directory;
    private final Thread thread;
    private volatile boolean closed;
    private volatile List<Long> mostServers = List.of();
    private final LongAdder counts = new LongAdder();

    private ProcessCount(Path directory) {
        this.directory = directory;
        this.thread = Thread.ofPlatform().daemon().name("process-count").unstarted(this::run);
    }

    static ProcessCount of(Path directory) {
        ProcessCount census = new ProcessCount(directory);
        census.thread.start();
        return census;
    }

    private void run() {
        while (!closed) {
            List<Long> servers = servers();
            if (servers.size() > mostServers.size()) {
                mostServers = servers;
            }
            counts.increment();
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    /** The most servers that were seen at once. */
    List<Long> mostServers() {
        return mostServers;
    }

    long counts() {
        return counts.sum();
    }

    /** Servers that are running now. */
    List<Long> servers() {
        return processes().stream().filter(ProcessCount::isServer).toList();
    }

    /** All that work in the directory now: servers, shells and what shells call. */
    List<Long> processes() {
        List<Long> found = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                if (link(entry.resolve("cwd")).equals(directory.toString())) {
                    found.add(Long.parseLong(entry.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static boolean isServer(long pid) {
        String program = link(Path.of("/proc", Long.toString(pid), "exe"));
        return program.contains("redis-") || program.contains("valkey-");
    }

    /** Empty when the process has ended meanwhile; it may still be there as a zombie. */
    private static String link(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
