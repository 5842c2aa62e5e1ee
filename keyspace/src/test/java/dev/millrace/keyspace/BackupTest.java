package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.backup.BackupException;
import dev.millrace.keyspace.backup.BackupListener;
import dev.millrace.keyspace.backup.BackupReport;
import dev.millrace.keyspace.backup.RestoreReport;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** What a backup promises, from a single server and from a cluster, into both. */
@OnEachSite
final class BackupTest extends EngineContract {
    private static final Cell SHARED = Cell.of(KeyType.HASH, "shared").livesWith("counter");
    private static final Cell RANKS = Cell.of(KeyType.SORTED_SET, "ranks").livesWith("player");
    private static final Cell NEWS = Cell.of(KeyType.LIST, "news").livesWith("reporter");
    private static final Cell LATEST = Cell.of(KeyType.STRING, "latest").livesWith("reporter");
    private static final Cell WHO =
            Cell.of(KeyType.HASH, "who").livesWith("token", element -> element);
    private static final Cell PARTS =
            Cell.of(KeyType.SORTED_SET, "parts-of:{event:id}")
                    .livesBeside("device", Plant.EVENTS, "event");

    private static final List<Declaration> ALL = new ArrayList<>(Plant.CATALOGUE.declarations());

    static {
        ALL.addAll(List.of(SHARED, RANKS, NEWS, LATEST, WHO, PARTS));
    }

    private static final Catalogue CATALOGUE = Keyspace.catalogue(ALL);
    private static final BackupListener DEAF = new BackupListener() {};

    @TempDir Path directory;
    private Path file;

    BackupTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void name() {
        file = directory.resolve("site.backup");
    }

    private BackupReport backup() {
        return keyspace.backup(file, false, "test", DEAF);
    }

    /** Everything that the small world knows, some of it with ids of others. */
    private void fill(int count) {
        BackupWorld world = new BackupWorld(keyspace);
        for (int i = 0; i < count; i++) {
            world.write(i);
        }
        keyspace.commit("red").incrementField(SHARED.of("red"), "n", 3).run().orThrow();
        keyspace.commit("blue").incrementField(SHARED.of("blue"), "n", 4).run().orThrow();
        keyspace.commit("blue").setFields(SHARED.of("blue"), Map.of("b", "text")).run().orThrow();
        keyspace.commit("anna").addSorted(RANKS.of("anna"), 5, "x").run().orThrow();
        keyspace.commit("bert").addSorted(RANKS.of("bert"), 1.5, "y").run().orThrow();
        keyspace.commit("anna").push(NEWS.of("anna"), "one".getBytes(UTF_8), 9).run().orThrow();
        keyspace.commit("bert").push(NEWS.of("bert"), "two".getBytes(UTF_8), 9).run().orThrow();
        keyspace.commit("anna").set(LATEST.of("anna"), "one").run().orThrow();
        for (String token : List.of("t1", "t2", "t3")) {
            keyspace.commit(token).setFields(WHO.of(token), Map.of(token, "u")).run().orThrow();
        }
        Stored<Plant.Event> event =
                keyspace.store(Plant.EVENTS).get(BackupWorld.eventId(0)).orElseThrow();
        String device = event.value().device();
        keyspace.commit(device)
                .addSorted(PARTS.of(device, event.id()), 0.25, "part")
                .run()
                .orThrow();
    }

    private void strangers() {
        site.command("stranger", "SET", "stranger", "1");
        site.command("{own}tag", "RPUSH", "{own}tag", "b", "a");
        site.command("stream", "XADD", "stream", "1-1", "f", "v");
        site.command("stream", "XGROUP", "CREATE", "stream", "g", "0");
        site.command(
                "stream", "XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", "stream", ">");
        site.commandBytes("\u0001", "SET".getBytes(UTF_8), new byte[] {1}, new byte[] {-1, 0, -2});
    }

    /** Empties all servers, restores, and looks at what is there. */
    private RestoreReport restored(Site target, BackupReport made) {
        SharedServers.flushAll();
        try (Redis other = target.connect()) {
            Keyspace there = new Keyspace(other, CATALOGUE);
            RestoreReport report = there.restore(file, DEAF);
            assertThat(report.found()).isEqualTo(report.expected());
            assertThat(there.restoring()).isEmpty();
            assertThat(there.check().run().findings()).isEmpty();
            BackupReport again = there.backup(directory.resolve("again"), true, "test", DEAF);
            if (report.merged() + report.expired() == 0) {
                assertThat(again.checksum()).isEqualTo(made.checksum());
            }
            return report;
        }
    }

    @ParameterizedTest
    @EnumSource(Site.class)
    void all_content_is_restored_equal_by_checksum_and_without_drift(Site target) {
        fill(200);
        strangers();
        Map<String, Object> before = site.dump();
        BackupReport made = backup();
        RestoreReport report = restored(target, made);
        assertThat(report.merged()).isZero();
        assertThat(report.expected()).isEqualTo(made.checksum());
        if (target == site) {
            Map<String, Object> after = target.dump();
            before.keySet().removeIf(BackupTest::pointer);
            after.keySet().removeIf(BackupTest::pointer);
            assertThat(after).isEqualTo(before);
        }
        try (Redis other = target.connect()) {
            Keyspace there = new Keyspace(other, CATALOGUE);
            for (int i = 0; i < 200; i += 7) {
                String id = BackupWorld.eventId(i);
                assertThat(there.store(Plant.EVENTS).get(id)).as(id).isPresent();
            }
            assertThat(there.store(Plant.NOTICES).find("notice-slug", "slug3")).isPresent();
            assertThat(there.schedule("jobs").size()).isEqualTo(200);
        }
        assertThat(target.command("stream", "XPENDING", "stream", "g").toString())
                .startsWith("[1, 1-1, 1-1, [[c, 1]]");
        assertThat(target.command("{own}tag", "LRANGE", "{own}tag", "0", "-1"))
                .isEqualTo(List.of("b", "a"));
    }

    private static boolean pointer(String key) {
        return key.contains("millrace:home:") || key.contains("millrace:seq");
    }

    @ParameterizedTest
    @EnumSource(Site.class)
    void parts_of_one_key_in_several_shards_come_together(Site target) {
        fill(1);
        BackupReport made = backup();
        restored(target, made);
        try (Redis other = target.connect()) {
            Place red = new Keyspace(other, CATALOGUE).ground().shards().place("red");
            if (!target.cluster()) {
                assertThat(target.command("shared", "HGET", "shared", "n")).isEqualTo("7");
                assertThat(target.command("news", "LRANGE", "news", "0", "-1").toString())
                        .contains("one", "two");
            } else if (site.cluster()) {
                String key = red.prefix() + "shared";
                assertThat(target.command(key, "HGET", key, "n")).isEqualTo("3");
            }
            Place token = new Keyspace(other, CATALOGUE).ground().shards().place("t2");
            String who = token.prefix() + "who";
            assertThat(target.command(who, "HGET", who, "t2")).isEqualTo("u");
        }
    }

    @ParameterizedTest
    @EnumSource(Site.class)
    void what_lives_beside_an_entity_goes_along_with_it(Site target) {
        fill(1);
        restored(target, backup());
        try (Redis other = target.connect()) {
            Keyspace there = new Keyspace(other, CATALOGUE);
            Stored<Plant.Event> event =
                    there.store(Plant.EVENTS).get(BackupWorld.eventId(0)).orElseThrow();
            String key = event.place().prefix() + "parts-of:" + event.id();
            assertThat(target.command(key, "ZSCORE", key, "part")).isEqualTo("0.25");
        }
    }

    @Test
    void a_backup_under_write_load_is_consistent() {
        fill(100);
        BackupReport made;
        try (BackupLoad load = BackupLoad.start(keyspace, 6)) {
            load.awaitWrites(500);
            made = backup();
            load.awaitWrites(500);
        }
        for (Site target : Site.values()) {
            RestoreReport report = restored(target, made);
            assertThat(report.merged()).isZero();
            assertThat(report.expected()).isEqualTo(made.checksum());
        }
    }

    @Test
    void the_engines_own_keys_are_left_out_and_sequence_numbers_go_on() {
        keyspace.feed(Topic.named("facts"));
        keyspace.commit("pump")
                .log(Plant.QUEUE.at("pump"), "<", ">", 10)
                .with(keyspace.feed(Topic.named("facts")).fact("x".getBytes(UTF_8)))
                .once("token")
                .run()
                .orThrow();
        BackupReport made = backup();
        assertThat(made.keys()).isEqualTo(1);
        restored(site, made);
        try (Redis other = site.connect()) {
            Keyspace there = new Keyspace(other, CATALOGUE);
            there.commit("pump").log(Plant.QUEUE.at("pump"), "<", ">", 10).run().orThrow();
        }
        String key = fullKey("pump", "queue:pump");
        assertThat(site.command(key, "LRANGE", key, "0", "-1")).isEqualTo(List.of("<2>", "<1>"));
    }

    @Test
    void what_has_expired_is_left_out() {
        String soon = fullKey("s", "session:s");
        String later = fullKey("t", "session:t");
        site.command(later, "SET", later, "{\"token\":\"t\",\"user\":\"u\"}", "PX", "3600000");
        site.command(soon, "SET", soon, "{\"token\":\"s\",\"user\":\"u\"}", "PX", "1000");
        BackupReport made = backup();
        await().until(() -> site.command(soon, "EXISTS", soon), gone -> gone.equals(0L));
        RestoreReport report = restored(site, made);
        assertThat(report.keys()).isEqualTo(1);
        assertThat(report.expired()).isEqualTo(1);
    }

    @Test
    void a_backup_can_go_to_a_stream() {
        fill(3);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupReport made = keyspace.backup(out, "test", DEAF);
        assertThat(made.bytes()).isEqualTo(out.size());
        assertThat(made.checksum()).isEqualTo(backup().checksum());
    }

    @Test
    void an_existing_file_is_replaced_only_if_wanted() throws IOException {
        fill(1);
        Files.writeString(file, "precious");
        assertThatThrownBy(this::backup)
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("exists already");
        assertThat(file).hasContent("precious");
        keyspace.backup(file, true, "test", DEAF);
        assertThat(Files.size(file)).isGreaterThan(100);
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void a_file_that_is_damaged_or_cut_short_is_refused_before_anything_is_written()
            throws IOException {
        fill(20);
        backup();
        byte[] whole = Files.readAllBytes(file);
        SharedServers.flushAll();
        for (int length : new int[] {0, 5, 100, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused();
        }
        for (int at = 20; at < whole.length; at += whole.length / 40) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            if (!hasContentOf(whole, damaged)) {
                Files.write(file, damaged);
                assertRefused();
            }
        }
        Files.writeString(file, "something else");
        assertRefused();
        Files.delete(file);
        assertRefused();
        assertThat(allKeys()).isEmpty();
    }

    /** Some bits of a compressed file mean nothing, as those that fill up its last byte. */
    private static boolean hasContentOf(byte[] whole, byte[] damaged) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(whole));
                InputStream other = new GZIPInputStream(new ByteArrayInputStream(damaged))) {
            return Arrays.equals(in.readAllBytes(), other.readAllBytes());
        } catch (ZipException | EOFException e) {
            return false;
        }
    }

    private void assertRefused() {
        assertThatThrownBy(() -> keyspace.restore(file, DEAF))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void nobody_but_its_owner_reads_a_backup() throws IOException {
        fill(2);
        Files.writeString(file, "an older one");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        keyspace.backup(file, true, "test", DEAF);
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void only_an_empty_redis_is_filled() {
        fill(2);
        backup();
        assertThatThrownBy(() -> keyspace.restore(file, DEAF))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("not empty");
        SharedServers.flushAll();
        site.command("one", "SET", "one", "key");
        assertThatThrownBy(() -> keyspace.restore(file, DEAF))
                .hasMessageContaining("it holds 1 keys, for example one");
        SharedServers.flushAll();
        keyspace.feed(Topic.named("facts")); // leaves epochs, as a hub does that ran for a moment
        assertThat(keyspace.restore(file, DEAF).equal()).isTrue();
    }

    @Test
    void a_restore_that_was_cut_short_is_marked_and_not_gone_on_with() {
        fill(300);
        backup();
        SharedServers.flushAll();
        Redis breaking = site.connect();
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (allKeys().size() < 20) {
                                Thread.onSpinWait();
                            }
                            breaking.close();
                        });
        assertThatThrownBy(() -> new Keyspace(breaking, CATALOGUE).restore(file, DEAF))
                .isInstanceOf(RuntimeException.class);
        assertThat(keyspace.restoring())
                .hasValueSatisfying(it -> assertThat(it).contains("not finished"));
        assertThatThrownBy(() -> keyspace.restore(file, DEAF))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("Empty it");
        SharedServers.flushAll();
        assertThat(keyspace.restore(file, DEAF).equal()).isTrue();
        assertThat(keyspace.restoring()).isEmpty();
    }
}
