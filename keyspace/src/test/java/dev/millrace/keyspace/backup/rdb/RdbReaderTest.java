package dev.millrace.keyspace.backup.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Snapshot;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every way in which a real server writes things into its snapshot. */
class RdbReaderTest {
    private static final String LONG = "a text that repeats itself; ".repeat(200);

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void empty() {
        server.flushAll();
        packUpTo(128);
    }

    /** Collections with more elements than that are not packed into one text. */
    private static void packUpTo(int count) {
        String most = Integer.toString(count);
        for (String what : List.of("hash-max-listpack-entries", "zset-max-listpack-entries")) {
            server.command("CONFIG", "SET", what, most);
        }
        server.command("CONFIG", "SET", "set-max-intset-entries", most);
        server.command("CONFIG", "SET", "list-max-listpack-size", count == 0 ? "1" : most);
    }

    private static List<Part> parts(String url, int database) {
        List<Part> parts = new ArrayList<>();
        try (Redis redis = Redis.open(Patience.options(url));
                Snapshot snapshot = redis.snapshot(redis.primaries().getFirst())) {
            snapshot.finish(RdbReader.read(snapshot, database, parts::add));
        }
        return parts;
    }

    /** What is in each key, as words. */
    private static Map<String, List<String>> content(List<Part> parts) {
        Map<String, List<String>> all = new TreeMap<>();
        for (Part part : parts) {
            all.computeIfAbsent(text(part.key()), key -> new ArrayList<>())
                    .addAll(words(part.body()));
        }
        return all;
    }

    private static Map<String, List<String>> content() {
        return content(parts(server.url(), 0));
    }

    private static List<String> words(Body body) {
        List<String> words = new ArrayList<>();
        switch (body) {
            case Body.Text(byte[] bytes) -> words.add(text(bytes));
            case Body.Items(long from, List<byte[]> items) ->
                    items.forEach(each -> words.add(text(each)));
            case Body.Members(List<byte[]> members) ->
                    members.forEach(each -> words.add(text(each)));
            case Body.Fields(List<byte[]> flat) -> flat.forEach(each -> words.add(text(each)));
            case Body.Scores(List<Body.Scored> members) ->
                    members.forEach(each -> words.add(text(each.member()) + "=" + each.score()));
            case Body.Entries(List<Body.StreamEntry> entries) -> {
                for (Body.StreamEntry each : entries) {
                    words.add(each.id() + " " + each.flat().stream().map(it -> text(it)).toList());
                }
            }
            case Body.StreamState state -> {
                words.add("last " + state.last() + " added " + state.entriesAdded());
                words.add("deleted " + state.maxDeleted());
                for (Body.StreamGroup group : state.groups()) {
                    words.add("group " + text(group.name()) + " " + group.last());
                    group.consumers().forEach(each -> words.add("consumer " + text(each)));
                    for (Body.Pending each : group.pending()) {
                        words.add(
                                "pending %s of %s, %d times"
                                        .formatted(
                                                each.id(),
                                                text(group.consumers().get(each.consumer())),
                                                each.deliveries()));
                    }
                }
            }
        }
        return words;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    @Test
    void strings_are_read_whether_numbers_short_or_compressed() {
        List<String> texts =
                List.of(
                        "",
                        "0",
                        "-1",
                        "127",
                        "-129",
                        "32767",
                        "40000",
                        "2147483647",
                        "4294967296",
                        "007",
                        "ein Fluß",
                        LONG,
                        "x".repeat(70_000));
        for (int i = 0; i < texts.size(); i++) {
            server.command("SET", "t" + i, texts.get(i));
        }
        Map<String, List<String>> found = content();
        for (int i = 0; i < texts.size(); i++) {
            assertThat(found.get("t" + i)).containsExactly(texts.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 128})
    void collections_are_read_packed_and_not(int packed) {
        packUpTo(packed);
        List<String> words =
                List.of(
                        "a",
                        "12",
                        "-7",
                        "4095",
                        "-4096",
                        "4096",
                        "70000",
                        "-9000000",
                        "3000000000",
                        "-9223372036854775808",
                        "b".repeat(63),
                        "c".repeat(64),
                        "d".repeat(4095),
                        LONG);
        List<String> list = new ArrayList<>(List.of("RPUSH", "list"));
        List<String> hash = new ArrayList<>(List.of("HSET", "hash"));
        List<String> set = new ArrayList<>(List.of("SADD", "set"));
        List<String> sorted = new ArrayList<>(List.of("ZADD", "sorted"));
        for (int i = 0; i < words.size(); i++) {
            list.add(words.get(i));
            hash.addAll(List.of("f" + i, words.get(i)));
            set.add(words.get(i));
            sorted.addAll(List.of(i + "", words.get(i)));
        }
        for (List<String> command : List.of(list, hash, set, sorted)) {
            server.command(command.toArray(String[]::new));
        }
        server.command("SADD", "small", "1", "-2", "300");
        server.command("SADD", "middle", "1", "-2", "70000");
        server.command("SADD", "large", "1", "-2", "5000000000");
        Map<String, List<String>> found = content();
        assertThat(found.get("list")).isEqualTo(words);
        assertThat(found.get("hash")).hasSize(2 * words.size()).containsAll(words);
        assertThat(found.get("set")).containsExactlyInAnyOrderElementsOf(words);
        assertThat(found.get("sorted")).hasSize(words.size()).contains("12=1.0", LONG + "=13.0");
        assertThat(found.get("small")).containsExactlyInAnyOrder("1", "-2", "300");
        assertThat(found.get("middle")).containsExactlyInAnyOrder("1", "-2", "70000");
        assertThat(found.get("large")).containsExactlyInAnyOrder("1", "-2", "5000000000");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 128})
    void scores_are_exact(int packed) {
        packUpTo(packed);
        for (double score :
                new double[] {0.1, 1e300, -Double.MIN_VALUE, Double.MAX_VALUE, 1.0 / 3}) {
            server.command("ZADD", "z", "" + score, "m" + score);
        }
        server.command("ZADD", "z", "inf", "mInfinity", "-inf", "m-Infinity");
        for (String each : content().getOrDefault("z", List.of())) {
            String[] pair = each.split("=", 2);
            assertThat("m" + pair[1]).isEqualTo(pair[0]);
        }
    }

    @Test
    void large_collections_come_in_parts_and_in_order() {
        List<String> command = new ArrayList<>(List.of("RPUSH", "long"));
        List<String> items = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            items.add("item " + i);
        }
        command.addAll(items);
        server.command(command.toArray(String[]::new));
        List<Part> parts = parts(server.url(), 0);
        assertThat(parts).hasSize(5);
        assertThat(parts.getLast().last()).isTrue();
        assertThat(parts.subList(0, 4)).noneMatch(Part::last);
        assertThat(content(parts)).containsEntry("long", items);
        long from = 0;
        for (Part part : parts) {
            Body.Items body = (Body.Items) part.body();
            assertThat(body.from()).isEqualTo(from);
            from += body.items().size();
        }
    }

    @Test
    void the_time_to_live_is_read() {
        server.command("SET", "mortal", "x", "PXAT", "4102444800123");
        server.command("SET", "immortal", "x");
        for (Part part : parts(server.url(), 0)) {
            assertThat(part.expireAt())
                    .isEqualTo(text(part.key()).equals("mortal") ? 4102444800123L : Part.NEVER);
        }
    }

    @Test
    void only_the_wanted_database_is_handed_over() {
        server.command("SET", "here", "0");
        server.command("SELECT", "2");
        server.command("SET", "there", "2");
        server.command("SELECT", "0");
        assertThat(content(parts(server.url(), 0))).containsOnlyKeys("here");
        assertThat(content(parts(server.url(), 2))).containsOnlyKeys("there");
    }

    @Test
    void streams_are_read_with_their_groups() {
        server.command("XADD", "s", "1-1", "a", "1", "b", "2");
        server.command("XADD", "s", "1-2", "a", "3", "b", "4");
        server.command("XADD", "s", "5-0", "other", "x");
        server.command("XADD", "s", "9-7", "gone", "x");
        server.command("XDEL", "s", "9-7");
        server.command("XGROUP", "CREATE", "s", "readers", "0");
        server.command("XREADGROUP", "GROUP", "readers", "anna", "COUNT", "2", "STREAMS", "s", ">");
        server.command("XACK", "s", "readers", "1-1");
        server.command("XGROUP", "CREATECONSUMER", "s", "readers", "bert");
        assertThat(content().get("s"))
                .containsExactly(
                        "1-1 [a, 1, b, 2]",
                        "1-2 [a, 3, b, 4]",
                        "5-0 [other, x]",
                        "last 9-7 added 4",
                        "deleted 9-7",
                        "group readers 1-2",
                        "consumer anna",
                        "consumer bert",
                        "pending 1-2 of anna, 1 times");
    }

    @Test
    void a_snapshot_from_a_file_of_the_server_is_read_too() {
        server.command("CONFIG", "SET", "repl-diskless-sync", "no");
        try {
            server.command("SET", "key", "value");
            assertThat(content()).containsOnlyKeys("key");
        } finally {
            server.command("CONFIG", "SET", "repl-diskless-sync", "yes");
        }
    }

    @Test
    void the_server_does_not_keep_us_as_a_replica() {
        content();
        assertThat(server.info("connected_slaves")).contains("0");
    }

    @Test
    void a_changed_byte_is_noticed() {
        server.command("SET", "key", "some value");
        byte[] snapshot = bytes();
        int at = new String(snapshot, ISO_8859_1).indexOf("some");
        snapshot[at] ^= 1;
        assertThatThrownBy(() -> read(snapshot))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void what_is_cut_short_or_not_known_is_an_error() {
        server.command("SET", "key", "some value");
        byte[] snapshot = bytes();
        for (int length = 0; length < snapshot.length; length++) {
            byte[] begun = Arrays.copyOf(snapshot, length);
            assertThatThrownBy(() -> read(begun)).isInstanceOf(SnapshotException.class);
        }
        byte[] strange = "REDIS0011\u0007\u0003keyvalue".getBytes(UTF_8);
        assertThatThrownBy(() -> read(strange))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("'key'", "of a module");
    }

    private static void read(byte[] snapshot) {
        RdbReader.read(new ByteArrayInputStream(snapshot), 0, part -> {});
    }

    /** A snapshot as it comes over the line, without the mark at its end. */
    private static byte[] bytes() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (Redis redis = Redis.open(Patience.options(server.url()));
                Snapshot snapshot = redis.snapshot(redis.primaries().getFirst())) {
            byte[] behind =
                    RdbReader.read(
                            new FilterInputStream(snapshot) {
                                @Override
                                public int read(byte[] target, int from, int length)
                                        throws IOException {
                                    int count = super.read(target, from, Math.min(length, 1));
                                    copy.write(target, from, count);
                                    return count;
                                }
                            },
                            0,
                            part -> {});
            snapshot.finish(behind);
        }
        return copy.toByteArray();
    }
}
