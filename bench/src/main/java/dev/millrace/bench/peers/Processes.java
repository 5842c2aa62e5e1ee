package dev.millrace.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processes whose time is counted: servers, and the Redis behind them, which is known by its name.
 */
record Processes(List<ProcessHandle> servers, List<ProcessHandle> redis) {
    private static final Set<String> REDIS = Set.of("redis-server", "valkey-server");

    static Processes none() {
        return new Processes(List.of(), List.of());
    }

    /**
     * Those with these ids.
     *
     * @throws IllegalArgumentException with a sentence, if one does not exist
     */
    static Processes of(List<Long> ids) {
        return of(
                ids.stream()
                        .map(
                                id ->
                                        ProcessHandle.of(id)
                                                .orElseThrow(
                                                        () ->
                                                                new IllegalArgumentException(
                                                                        "There is no process %d."
                                                                                .formatted(id))))
                        .toList()
                        .stream());
    }

    /** A process of ours, with all that it has started. */
    static Processes family(ProcessHandle parent) {
        return of(Stream.concat(Stream.of(parent), parent.descendants()));
    }

    private static Processes of(Stream<ProcessHandle> all) {
        Processes sorted = new Processes(new ArrayList<>(), new ArrayList<>());
        all.forEach(each -> (isRedis(each) ? sorted.redis : sorted.servers).add(each));
        return sorted;
    }

    private static boolean isRedis(ProcessHandle process) {
        try {
            return REDIS.contains(
                    Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
                            .strip());
        } catch (IOException e) {
            // Not Linux.
            return process.info()
                    .command()
                    .map(command -> REDIS.contains(Path.of(command).getFileName().toString()))
                    .orElse(false);
        }
    }

    boolean areKnown() {
        return !servers.isEmpty() || !redis.isEmpty();
    }

    /** Processor time of the servers so far. */
    long serverNanos() {
        return nanos(servers);
    }

    long redisNanos() {
        return nanos(redis);
    }

    long allNanos() {
        return serverNanos() + redisNanos();
    }

    private static long nanos(List<ProcessHandle> processes) {
        long nanos = 0;
        for (ProcessHandle each : processes) {
            if (!each.isAlive()) {
                throw new IllegalStateException(
                        "The process %d has ended.".formatted(each.pid()));
            }
            nanos += each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        }
        return nanos;
    }
}
