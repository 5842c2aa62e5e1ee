package dev.millrace.bench.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What is measured is what was meant: every contestant really stores its events. */
class ContestantsTest {
    private static final int EVENTS = 100;
    private static final int THREADS = 10;

    private static TestServer redis;
    private static Contestants contestants;

    @BeforeAll
    static void start() {
        redis = TestServer.start("requirepass secret");
        contestants = new Contestants(RedisOptions.of(redis.url()), 0);
    }

    @AfterAll
    static void stop() {
        contestants.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.flushAll();
    }

    private static void create(String name) throws Exception {
        Contestant contestant =
                contestants.all().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> threads =
                    IntStream.range(0, THREADS)
                            .<Future<?>>mapToObj(
                                    thread ->
                                            executor.submit(
                                                    () -> {
                                                        for (int i = 0; i < EVENTS / THREADS; i++) {
                                                            contestant.work().once(thread);
                                                        }
                                                        return null;
                                                    }))
                            .toList();
            for (Future<?> thread : threads) {
                thread.get();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "b2", "c"})
    void stores_value_and_index_entries_under_the_same_keys(String name) throws Exception {
        create(name);
        for (String index : List.of("event", "event:created", "event:pushed")) {
            assertThat(redis.command("ZCARD", index)).as(index).isEqualTo((long) EVENTS);
        }
        List<?> ids = (List<?>) redis.command("ZRANGE", "event", "0", "-1");
        for (Object each : ids) {
            String id = (String) each;
            String json = (String) redis.command("GET", id);
            String device = json.replaceFirst(".*\"device\":\"([^\"]*)\".*", "$1");
            String created = json.replaceFirst(".*\"created\":(\\d+).*", "$1");
            String pushed = json.replaceFirst(".*\"pushed\":(\\d+).*", "$1");
            assertThat(json).contains(id, "reading", "kPa").hasSizeBetween(200, 400);
            assertThat(redis.command("ZSCORE", "event", id)).isEqualTo("0");
            assertThat(redis.command("ZSCORE", "event:created", id)).isEqualTo(created);
            assertThat(redis.command("ZSCORE", "event:pushed", id)).isEqualTo(pushed);
            assertThat(redis.command("ZSCORE", "event:device:" + device, id)).isEqualTo(created);
        }
    }

    @Test
    void by_hand_the_same_bytes_are_stored_as_by_the_engine() {
        Event event = Event.next();
        try (Redis connection = Redis.open(RedisOptions.of(redis.url()))) {
            new Keyspace(connection, Keyspace.catalogue(Event.LAYOUT))
                    .store(Event.LAYOUT)
                    .create(event)
                    .orThrow();
        }
        assertThat(redis.command("GET", event.id()))
                .isEqualTo(new String(Keys.of(event).json(), StandardCharsets.UTF_8));
    }

    @Test
    void spring_stores_hashes_and_a_set_for_each_value_of_an_indexed_field() throws Exception {
        create("d");
        assertThat(redis.command("SCARD", "event")).isEqualTo((long) EVENTS);
        assertThat(redis.command("SCARD", "event:source:flow-and-pressure"))
                .isEqualTo((long) EVENTS);
        String id = (String) redis.command("SRANDMEMBER", "event");
        String key = "event:" + id;
        assertThat(redis.command("HGET", key, "profile")).isEqualTo("pump-station-mk2");
        assertThat(redis.command("HGET", key, "reading.units")).isEqualTo("kPa");
        for (String field : List.of("device", "source", "created", "pushed")) {
            String index = key.replace(id, field) + ":" + redis.command("HGET", key, field);
            assertThat(redis.command("SISMEMBER", index, id)).as(index).isEqualTo(1L);
        }
    }
}
