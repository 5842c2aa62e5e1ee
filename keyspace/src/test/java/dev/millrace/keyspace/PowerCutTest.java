package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.testing.ChildJvm;
import dev.millrace.keyspace.testing.SyncWatch;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.function.LongBinaryOperator;

/**
 * Servers and hubs killed under load, with the append-only file cut back to what was synced: what
 * {@code durability=fsync} promises, and that the same does not hold without. Six rounds with
 * fsync, fifty with {@code millrace.full}.
 */
@EnabledOnOs(OS.LINUX)
final class PowerCutTest {
    private static final Logger log = LoggerFactory.getLogger(PowerCutTest.class);
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final Duration CAP = Duration.ofMinutes(2);

    private enum Victim {
        SERVER,
        HUB,
        BOTH
    }

    /** What is left of what the kernel had not synced. */
    private enum Disk {
        NOTHING,
        SOME,
        ALL;

        LongBinaryOperator survivors(Random random) {
            return switch (this) {
                case NOTHING -> (synced, length) -> synced;
                // In the middle of a write as well as between two.
                case SOME -> (synced, length) -> random.nextLong(synced, length + 1);
                case ALL -> (synced, length) -> length;
            };
        }
    }

    private static final class Tally {
        private int rounds;
        private int acknowledged;
        private int lost;
        private int unknown;
        private int facts;
        private int items;
        private long bytesCut;
    }

    @TempDir Path dataDir;

    private final PowerCutLedger ledger = new PowerCutLedger();
    private final Map<Victim, Tally> tallies = new EnumMap<>(Victim.class);
    private final Random random = new Random();
    private @Nullable ChildJvm hub;
    private @Nullable SyncWatch watch;
    private int facts;
    private int items;

    @AfterEach
    void end() {
        if (hub != null) {
            hub.close();
        }
        if (watch != null) {
            watch.awaitEnd();
        }
    }

    @Test
    void with_fsync_nothing_acknowledged_is_lost_and_every_effect_happens_once() throws Exception {
        rounds(AppendFsync.ALWAYS, FULL ? 50 : 6);
        assertThat(tallies.values()).allMatch(tally -> tally.lost == 0);
    }

    /** If it lost nothing, the test above would prove nothing. */
    @Test
    void with_everysec_a_power_cut_takes_writes_along_but_nothing_drifts() throws Exception {
        rounds(AppendFsync.EVERYSEC, FULL ? 12 : 3);
        assertThat(tallies.values()).anyMatch(tally -> tally.lost > 0);
    }

    private void rounds(AppendFsync fsync, int count) throws Exception {
        long seed = System.nanoTime();
        random.setSeed(seed);
        long start = System.nanoTime();
        startHub(fsync);
        for (int round = 0; round < count; round++) {
            Victim victim = Victim.values()[round % 3];
            // The last synced byte is the hardest; each victim meets every sort in turn.
            Disk disk = round / 3 % 2 == 0 ? Disk.NOTHING : Disk.values()[1 + round / 6 % 2];
            round(fsync, victim, disk);
        }
        tallies.forEach(
                (victim, tally) ->
                        log.info(
                                "Power cuts: fsync={} killed={} rounds={} acknowledged={} lost={}"
                                        + " unknown={} facts={} items={} bytes-cut={}",
                                fsync,
                                victim,
                                tally.rounds,
                                tally.acknowledged,
                                tally.lost,
                                tally.unknown,
                                tally.facts,
                                tally.items,
                                tally.bytesCut));
        log.info(
                "Power cuts: fsync={} rounds={} seconds={} seed={}",
                fsync,
                count,
                Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                seed);
    }

    private void startHub(AppendFsync fsync) {
        ChildJvm started =
                ChildJvm.start(PowerCutHub.class, ledger::hear, dataDir.toString(), fsync.name());
        hub = started;
        assertThat(started.answer()).isEqualTo("ready");
    }

    private void round(AppendFsync fsync, Victim victim, Disk disk) throws Exception {
        Tally tally = tallies.computeIfAbsent(victim, each -> new Tally());
        ChildJvm writing = Objects.requireNonNull(hub);
        long server = serverPid();
        SyncWatch watching = watch(server);
        watch = watching;
        int before = ledger.acknowledged();
        writing.ask("go");
        int enough = before + 100 + random.nextInt(400);
        await().atMost(CAP)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ledger.acknowledged() >= enough);

        watching.surviving(disk.survivors(random));
        if (victim != Victim.HUB && (fsync == AppendFsync.EVERYSEC || random.nextBoolean())) {
            watching.killInSync();
            watching.awaitEnd();
        } else if (victim != Victim.HUB) {
            ProcessHandle.of(server).ifPresent(ProcessHandle::destroyForcibly);
        }
        if (victim != Victim.SERVER) {
            writing.kill();
        }
        tally.bytesCut += watching.awaitEnd();
        if (victim == Victim.SERVER) {
            writing.ask("stop");
        } else {
            startHub(fsync);
        }
        tally.rounds++;
        tally.acknowledged += ledger.acknowledged() - before;
        compare(fsync, tally);
    }

    private SyncWatch watch(long server) throws IOException {
        try {
            return SyncWatch.of(server, dataDir.resolve("redis", "appendonlydir"));
        } catch (SyncWatch.RefusedException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    private void compare(AppendFsync fsync, Tally tally) {
        Address address =
                await().atMost(CAP)
                        .until(() -> EmbeddedServer.running(dataDir), Optional::isPresent)
                        .orElseThrow();
        RedisOptions options =
                RedisOptions.of(
                        new Endpoint(address.host(), address.port(), address.socket().orElse(null)),
                        address.password());
        try (Redis redis = Redis.open(options)) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            PowerCutEffects effects = new PowerCutEffects(keyspace, ledger::hear);
            effects.finish();
            PowerCutLedger.Present present =
                    new PowerCutLedger.Present(events(keyspace), effects.copies(), effects.ends());
            PowerCutLedger.Found found = ledger.compare(present);
            assertThat(found.wrong()).isEmpty();
            assertThat(keyspace.check().run().findings()).isEmpty();
            if (fsync == AppendFsync.ALWAYS) {
                assertThat(found.lost()).isZero();
                assertThat(ledger.compareOutside(present)).isEmpty();
            }
            tally.lost += found.lost();
            tally.unknown += found.unknown();
            tally.facts += present.copies().size() - facts;
            tally.items += present.ends().size() - items;
            facts = present.copies().size();
            items = present.ends().size();
        }
    }

    private static Map<String, Event> events(Keyspace keyspace) {
        Map<String, Event> events = new HashMap<>();
        Query<Event> all = keyspace.store(Plant.EVENTS).query("event:created").limit(1000);
        Page<Event> page = all.page();
        while (true) {
            page.items().forEach(stored -> events.put(stored.id(), stored.value()));
            if (page.next().isEmpty()) {
                return events;
            }
            page = all.after(page.next().get()).page();
        }
    }

    private long serverPid() throws IOException {
        Properties properties = new Properties();
        Path file = dataDir.resolve("redis", "server.properties");
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return Long.parseLong(properties.getProperty("pid"));
    }
}
