package dev.millrace.keyspace.redis.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Starts and hard kills in a row, in another JVM that writes all the time: of that JVM, of the
 * server, of both, and of a JVM that is just starting. One of each by default, a hundred with
 * {@code millrace.full}.
 */
@EnabledOnOs(OS.LINUX)
class EmbeddedServerKillTest {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedServerKillTest.class);
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 100 : 4;

    private enum Victim {
        JVM,
        SERVER,
        BOTH,
        /** One that has not said yet that its server is ready, and may have none. */
        STARTING_JVM
    }

    @TempDir Path dataDir;

    /** Numbers that were acknowledged and have to be in the list. */
    private final ConcurrentSkipListSet<Integer> acknowledged = new ConcurrentSkipListSet<>();

    private final Map<Victim, Integer> kills = new EnumMap<>(Victim.class);
    private int first;
    private @Nullable EmbeddedServerChild child;
    private CompletableFuture<Void> listening = CompletableFuture.completedFuture(null);

    @Test
    void with_fsync_nothing_is_lost_and_nobody_is_left() throws Exception {
        assertThat(rounds(AppendFsync.ALWAYS)).isEmpty();
    }

    /** What may go is what was acknowledged last before a server was killed. */
    @Test
    void with_everysec_a_killed_server_may_take_its_end_along_and_nobody_is_left()
            throws Exception {
        List<List<Integer>> lost = rounds(AppendFsync.EVERYSEC);
        assertThat(lost.size())
                .isLessThanOrEqualTo(
                        kills.getOrDefault(Victim.SERVER, 0) + kills.getOrDefault(Victim.BOTH, 0));
    }

    /** Gives what was acknowledged and lost, in runs: neighbours that went together. */
    private List<List<Integer>> rounds(AppendFsync fsync) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Path directory = Files.createDirectory(dataDir.resolve("redis")).toRealPath();
        long start = System.nanoTime();
        try (ProcessCount count = ProcessCount.of(directory)) {
            for (int round = 1; round <= ROUNDS; round++) {
                Victim[] victims = Victim.values();
                // In a short run, too, each is one.
                int next = round <= victims.length ? round - 1 : random.nextInt(victims.length);
                Victim victim = victims[next];
                kills.merge(victim, 1, Integer::sum);
                if (victim == Victim.STARTING_JVM) {
                    killStarting(fsync, random);
                } else {
                    ensureWriting(fsync, 1 + random.nextInt(50));
                    // Acknowledgements of one that was just killed may have been in the pipe.
                    long server =
                            await().atMost(Servers.CAP)
                                    .until(count::servers, found -> found.size() == 1)
                                    .getFirst();
                    kill(victim, server, random.nextBoolean());
                }
            }
            ensureWriting(fsync, 1);
            killJvm();
            List<List<Integer>> lost = lost(stored());
            await().atMost(Servers.CAP).until(count::processes, List::isEmpty);
            log.info(
                    "Kills in a row: fsync={} rounds={} kills={} acknowledged={} lost-runs={}"
                            + " most-servers-at-once={} counts={} seconds={} seed={}",
                    fsync,
                    ROUNDS,
                    kills,
                    acknowledged.size(),
                    lost.stream().map(List::size).toList(),
                    count.mostServers().size(),
                    count.counts(),
                    Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                    seed);
            assertThat(count.mostServers()).hasSize(1);
            return lost;
        } finally {
            killJvm();
        }
    }

    /** A JVM that has got so many more writes acknowledged; the one that is there, if one is. */
    private void ensureWriting(AppendFsync fsync, int more) throws IOException {
        if (child == null) {
            startJvm(fsync);
        }
        int last = lastAcknowledged();
        await().atMost(Servers.CAP)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> acknowledged.tailSet(last, false).size() >= more);
    }

    private void startJvm(AppendFsync fsync) throws IOException {
        // Numbers of one JVM do not meet those of another, whatever became of its last ones.
        first += 1_000_000;
        EmbeddedServerChild started = EmbeddedServerChild.writing(dataDir, fsync, first);
        child = started;
        listening = CompletableFuture.runAsync(() -> listen(started), Thread::startVirtualThread);
    }

    private void listen(EmbeddedServerChild speaker) {
        try {
            for (var line = speaker.nextAnswer(); line.isPresent(); line = speaker.nextAnswer()) {
                if (line.get().startsWith("ack ")) {
                    acknowledged.add(Integer.parseInt(line.get().substring("ack ".length())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void killStarting(AppendFsync fsync, Random random) throws IOException {
        killJvm();
        startJvm(fsync);
        await().pollDelay(Duration.ofMillis(random.nextInt(800))).until(() -> true);
        killJvm();
    }

    private void kill(Victim victim, long server, boolean serverFirst) throws Exception {
        if (victim == Victim.SERVER || (victim == Victim.BOTH && serverFirst)) {
            Servers.signal("KILL", server);
        }
        if (victim != Victim.SERVER) {
            killJvm();
        }
        if (victim == Victim.BOTH && !serverFirst) {
            // It may be on its way out by now.
            ProcessHandle.of(server).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void killJvm() {
        if (child != null) {
            child.close();
            listening.join();
            child = null;
        }
    }

    private List<Integer> stored() {
        try (EmbeddedServer server = EmbeddedServer.start(dataDir, Options.defaults())) {
            List<?> list = (List<?>) Servers.ask(server, "LRANGE", "log", "0", "-1");
            return list.stream().map(item -> Integer.parseInt((String) item)).toList();
        }
    }

    private List<List<Integer>> lost(List<Integer> stored) {
        // Nothing twice, nothing out of order.
        assertThat(stored).isSortedAccordingTo(Integer::compare).doesNotHaveDuplicates();
        Set<Integer> there = Set.copyOf(stored);
        List<List<Integer>> runs = new ArrayList<>();
        boolean running = false;
        for (Integer number : acknowledged) {
            if (there.contains(number)) {
                running = false;
            } else {
                if (!running) {
                    runs.add(new ArrayList<>());
                }
                running = true;
                runs.getLast().add(number);
            }
        }
        return runs;
    }

    private int lastAcknowledged() {
        return acknowledged.isEmpty() ? 0 : acknowledged.last();
    }
}
