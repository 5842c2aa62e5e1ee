package dev.millrace.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes whose time is counted: servers, and the Redis behind them, which is known by its name.
 */
record Processes(List<ProcessHandle> servers, List<ProcessHandle> redis) {
    /** Versions may follow, as far as the system shows them. */
    private static final List<String> REDIS = List.of("redis-server", "valkey-server");

    /**
     * Those with these ids.
     *
     * @throws IllegalArgumentException with a sentence, if one does not exist
     */
    static Processes of(List<Long> ids) {
        return of(ids.stream().map(Processes::process));
    }

    private static ProcessHandle process(long id) {
        return ProcessHandle.of(id)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "there is no process %d.".formatted(id)));
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
        String name;
        try {
            name = Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"));
        } catch (IOException e) {
            // Not Linux.
            name = process.info().command().map(each -> each.replaceAll(".*/", "")).orElse("");
        }
        return REDIS.stream().anyMatch(name::startsWith);
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
                throw new IllegalStateException("The process %d has ended.".formatted(each.pid()));
            }
            nanos += each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        }
        return nanos;
    }
}
