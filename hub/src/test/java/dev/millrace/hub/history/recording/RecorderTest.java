package dev.millrace.hub.history.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.history.batches.BatchSettings;
import dev.millrace.hub.history.batches.BatchWriter;
import dev.millrace.hub.history.kept.Gaps;
import dev.millrace.hub.history.kept.Marks;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The recorder alone, with a feed of its own that holds next to nothing. */
@OnEachSite
class RecorderTest {
    private static final Topic TOPIC =
            Topic.named("test-values").keeping(Duration.ofDays(1), 2000, 4000);

    @Parameter private Site site;

    private TestHub hub;
    private Keyspace keyspace;
    private final long now = System.currentTimeMillis();

    /**
     * Facts such as {@code 7 1000 20.5}: an id, a time and a value. With a fourth word, so many
     * fields have this value.
     */
    private static final Recordable LINES =
            new Recordable() {
                @Override
                public Topic topic() {
                    return TOPIC;
                }

                @Override
                public Optional<Observed> read(Fact fact) {
                    String[] words = new String(fact.body(), UTF_8).split(" ", -1);
                    if (words.length < 3) {
                        return Optional.empty();
                    }
                    long at = Long.parseLong(words[1]);
                    int many = words.length > 3 ? Integer.parseInt(words[3]) : 1;
                    List<Observed.Field> fields = new ArrayList<>();
                    for (int i = 0; i < many; i++) {
                        String name = i == 0 ? "x" : "x" + i;
                        fields.add(new Observed.Field(name, Sample.of(at, words[2])));
                    }
                    Thing thing = new Thing(SeriesName.SERVICE, words[0]);
                    return Optional.of(new Observed(thing, "", at, fields));
                }
            };

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = TestHub.start(site.url(), "history.record.on=false");
        keyspace = hub.keyspace();
        // Known from the beginning on, like one whose hub is away.
        keyspace.feed(TOPIC).reader(Recorder.READER, Topic.Behind.GAP, false);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private Recorder recorder() {
        return recorder(false);
    }

    private Recorder recorder(boolean withBatches) {
        RecordingSettings settings =
                new RecordingSettings(
                        true, Mode.ON_CHANGE, 0, Duration.ofSeconds(1), Duration.ofHours(1));
        // Whoever names services has them recorded like everything else.
        Rules onChange =
                switch (Rules.read(
                        settings,
                        Duration.ofDays(30),
                        (ObjectNode) Json.MAPPER.readTree("{\"sources\":[\"brewblox:*\"]}"))) {
                    case Rules.Read.Right(Rules right) -> right;
                    case Rules.Read.Wrong wrong -> throw new AssertionError(wrong);
                };
        SimpleMeterRegistry figures = new SimpleMeterRegistry();
        BatchSettings batches =
                new BatchSettings(withBatches, Duration.ofHours(1), Duration.ofHours(1), 10_000);
        return new Recorder(
                keyspace,
                LINES,
                () -> onChange,
                new Marks(keyspace),
                new BatchWriter(keyspace, batches, figures, Clock.systemUTC()),
                figures,
                Clock.systemUTC());
    }

    private void announce(String id, long at, String value) {
        keyspace.commit(id)
                .with(
                        keyspace.feed(TOPIC)
                                .fact("%s %d %s".formatted(id, at, value).getBytes(UTF_8)))
                .run()
                .orThrow();
    }

    private int count(String id) {
        return hub.get("/api/history/brewblox/" + id + "/x?limit=100000")
                .json()
                .at("/data/samples")
                .size();
    }

    @Test
    void what_comes_late_twice_or_in_disorder_is_a_sample_once() {
        long[] times = {5000, 1000, 3000, 5000, 1000, 4000, 2000, 5000};
        for (int i = 0; i < times.length; i++) {
            announce("a", now - 100_000 + times[i], Integer.toString(i));
        }
        announce("a", now + 61_000, "9");
        announce("a", now - Duration.ofDays(31).toMillis(), "9");
        keyspace.commit("a").with(keyspace.feed(TOPIC).fact("x".getBytes(UTF_8))).run().orThrow();
        announce("b", now, "1");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            await().until(() -> count("b") == 1);
            await().until(() -> count("a") == 5);
            assertThat(
                            hub.get("/api/history/brewblox/a/statistics")
                                    .json()
                                    .at("/data/fields/x/count")
                                    .asInt())
                    .isEqualTo(5);
            // Of one time, what came last.
            assertThat(
                            hub.get("/api/history/brewblox/a/x?order=desc&limit=1")
                                    .json()
                                    .at("/data/samples/0/value")
                                    .asInt())
                    .isEqualTo(7);
            assertThat(hub.get("/api/stats").json().at("/data/refused_too_old").asInt())
                    .isEqualTo(1);
            assertThat(hub.get("/api/stats").json().at("/data/refused_too_new").asInt())
                    .isEqualTo(1);
        }
    }

    private void announceMany(String id, long at, String value, int fields) {
        announce(id, at, value + " " + fields);
    }

    private void awaitAllRead() {
        FeedReader reader = keyspace.feed(TOPIC).reader(Recorder.READER, Topic.Behind.GAP, false);
        await().until(() -> reader.ends().isEmpty());
    }

    private long samples(String id) {
        return hub.get("/api/history/brewblox/" + id + "/statistics")
                .json()
                .at("/data/count")
                .asLong();
    }

    @Test
    void a_fact_of_more_values_than_a_commit_takes_is_recorded_in_steps_each_value_once() {
        int many = 2500;
        announceMany("m", now - 5000, "1", many);
        announceMany("m", now - 4000, "2", many);
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
            assertThat(samples("m")).isEqualTo(2L * many);
            String last = "/api/history/brewblox/m/x" + (many - 1);
            JsonNode samples = hub.get(last).json().at("/data/samples");
            assertThat(samples.size()).isEqualTo(2);
            assertThat(samples.get(1).get("value").asInt()).isEqualTo(2);
        }
        assertThat(keyspace.check().run().drift()).isZero();
    }

    @Test
    void texts_that_are_long_together_are_recorded_in_steps_and_one_too_long_is_left_out() {
        // Each takes thrice its length in its member, and twice more in the statistics.
        announceMany("l", now - 5000, ":".repeat(Sample.LONGEST), 1000);
        announce("t", now - 5000, "y".repeat(Sample.LONGEST + 1));
        announce("t", now - 4000, "y");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
            assertThat(count("t")).isEqualTo(1);
            JsonNode samples = hub.get("/api/history/brewblox/l/x999").json().at("/data/samples");
            assertThat(samples.size()).isEqualTo(1);
            assertThat(samples.get(0).get("value").asString()).hasSize(Sample.LONGEST);
        }
    }

    private List<JsonNode> batches() {
        List<JsonNode> all = new ArrayList<>();
        String after = "";
        do {
            JsonNode part = hub.get("/api/history/batches?limit=2" + after).json().at("/data");
            part.get("batches")
                    .forEach(
                            each ->
                                    all.add(
                                            hub.get(
                                                            "/api/history/batches/"
                                                                    + each.get("batch_id")
                                                                            .asString())
                                                    .json()
                                                    .get("data")));
            after = part.get("next").isNull() ? "" : "&after=" + part.get("next").asString();
        } while (!after.isEmpty());
        return all;
    }

    @Test
    void what_is_recorded_is_in_batches_once_however_many_steps_it_takes() {
        int many = 1000;
        announceMany("l", now - 5000, ":".repeat(Sample.LONGEST), many);
        announce("a", now - 4000, "1");
        announce("a", now - 4000, "1");
        announce("b", now - 4000, "2.5");
        try (Recorder recorder = recorder(true)) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
        }
        Map<String, Integer> samples = new HashMap<>();
        List<JsonNode> batches = batches();
        for (JsonNode batch : batches) {
            assertThat(batch.get("samples").size()).isEqualTo(batch.get("point_count").asInt());
            for (JsonNode each : batch.get("samples")) {
                samples.merge(
                        "%s %s %s"
                                .formatted(
                                        each.get("id").asString(),
                                        each.get("field").asString(),
                                        each.get("ts").asLong()),
                        1,
                        Integer::sum);
            }
        }
        assertThat(batches).hasSizeGreaterThan(2);
        assertThat(samples).hasSize(many + 2);
        assertThat(samples.values()).containsOnly(1);
        assertThat(samples).containsKey("b x " + (now - 4000));
        assertThat(keyspace.check().run().drift()).isZero();
    }

    @Test
    void without_batches_there_is_no_key_of_them() {
        announce("a", now - 4000, "1");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
        }
        assertThat(count("a")).isEqualTo(1);
        assertThat(site.allKeys()).noneMatch(key -> key.contains("batch"));
    }

    @Test
    void where_somebody_has_put_something_else_only_that_is_left_out() {
        announce("p", now - 9000, "1");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
        }
        String key =
                site.allKeys().stream()
                        .filter(each -> each.endsWith("history:statistics:brewblox:p"))
                        .findAny()
                        .orElseThrow();
        site.command(key, "SET", key, "mine");
        for (int i = 0; i < 5; i++) {
            announce("p", now - 5000 + i, "1" + i);
            announce("q", now - 5000 + i, "1" + i);
        }
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            awaitAllRead();
            assertThat(count("q")).isEqualTo(5);
            assertThat(count("p")).isEqualTo(1);
        }
    }

    @Test
    void one_that_was_too_far_behind_says_what_is_missing_and_goes_on() {
        announce("c", now - 900_000, "1");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            await().until(() -> count("c") == 1);
        }
        for (int i = 0; i < 1000; i++) {
            announce("c", now - 800_000 + i, "1");
        }
        keyspace.feed(TOPIC).trim();
        announce("c", now - 1000, "1");
        try (Recorder recorder = recorder()) {
            assertThat(recorder).isNotNull();
            await().until(() -> !new Gaps(keyspace).all().isEmpty());
            // It is the same value, but nobody knows what was in between.
            await().until(() -> count("c") >= 2);
            Gaps.Gap gap = new Gaps(keyspace).all().getFirst();
            assertThat(gap.facts()).isBetween(1L, 1000L);
            assertThat(gap.from()).isPositive();
            assertThat(gap.to()).isGreaterThanOrEqualTo(gap.from());
            assertThat(hub.get("/api/history/gaps").json().at("/data/items").size()).isEqualTo(1);
            int before = count("c");
            announce("c", now - 500, "1");
            announce("d", now, "1");
            await().until(() -> count("d") == 1);
            assertThat(count("c")).isEqualTo(before);
        }
    }
}
