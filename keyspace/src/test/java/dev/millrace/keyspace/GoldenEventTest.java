package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The event with two readings that the first of the five key descriptions gives as its example, and
 * the table of keys, scores and members that it says must come of it.
 */
final class GoldenEventTest {
    /** As it stands in that description, blank by blank. */
    private static final String TABLE =
            """
            | Sorted Set Key           | Score         | Member                   |
            | ------------------------ | ------------- | ------------------------ |
            | event                    | 0             | 57ba04a1189b95b8afcdafd7 |
            | event:created            | 1464039917100 | 57ba04a1189b95b8afcdafd7 |
            | event:pushed             | 1471806399999 | 57ba04a1189b95b8afcdafd7 |
            | event:device:123456789   | 1464039917100 | 57ba04a1189b95b8afcdafd7 |
            | reading                  | 0             | 57b9fe08189b95b8afcdafd4 |
            | reading:created          | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
            | reading:device:123456789 | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
            | reading:name:temperature | 1471806984866 | 57b9fe08189b95b8afcdafd4 |
            | reading                  | 0             | 57e745efe4b0ca8e6d7116d7 |
            | reading:created          | 1474774511737 | 57e745efe4b0ca8e6d7116d7 |
            | reading:device:123456789 | 1474774511737 | 57e745efe4b0ca8e6d7116d7 |
            | reading:name:power       | 1474774511737 | 57e745efe4b0ca8e6d7116d7 |
            """;

    record Event(
            String id,
            long pushed,
            String device,
            long created,
            long modified,
            long origin,
            String event) {
        boolean isPushed() {
            return pushed != 0;
        }
    }

    record Reading(
            String id,
            long pushed,
            String device,
            long created,
            long modified,
            long origin,
            String name,
            String value) {}

    private static final Layout<Event> EVENTS =
            Layout.json("{id:id}", Event.class)
                    .ownedBy("device")
                    .kind("event")
                    .sorted("event", 0)
                    .sorted("event:created", Event::created)
                    .sorted("event:pushed", Event::pushed)
                    .when(Event::isPushed)
                    .sorted("event:device:{device}", Event::created);

    private static final Layout<Reading> READINGS =
            Layout.json("{id:id}", Reading.class)
                    .ownedBy("device")
                    .kind("reading")
                    .sorted("reading", 0)
                    .sorted("reading:created", Reading::created)
                    .sorted("reading:device:{device}", Reading::created)
                    .sorted("reading:name:{name}", Reading::created);

    private static final Event EVENT =
            new Event(
                    "57ba04a1189b95b8afcdafd7",
                    1471806399999L,
                    "123456789",
                    1464039917100L,
                    1474774741088L,
                    1471806386919L,
                    "");

    private static final Reading TEMPERATURE =
            new Reading(
                    "57b9fe08189b95b8afcdafd4",
                    0,
                    "123456789",
                    1471806984866L,
                    1471807130870L,
                    1471806386919L,
                    "temperature",
                    "39");

    private static final Reading POWER =
            new Reading(
                    "57e745efe4b0ca8e6d7116d7",
                    0,
                    "123456789",
                    1474774511737L,
                    1474774511737L,
                    1471806386919L,
                    "power",
                    "38");

    private Redis redis;
    private TestServer server;

    @BeforeEach
    void store_the_example() {
        server = SharedServers.standalone();
        SharedServers.flushAll();
        redis = Site.STANDALONE.connect();
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(EVENTS, READINGS));
        keyspace.commit(EVENT.device())
                .create(EVENTS, EVENT)
                .create(READINGS, TEMPERATURE)
                .create(READINGS, POWER)
                .run()
                .orThrow();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void the_catalogue_prints_the_table() {
        List<Entry> entries = new ArrayList<>(EVENTS.entries(EVENT));
        entries.addAll(READINGS.entries(TEMPERATURE));
        entries.addAll(READINGS.entries(POWER));
        assertThat(Catalogue.table(entries)).isEqualTo(TABLE);
    }

    @Test
    void redis_holds_the_table_and_the_three_values_and_nothing_else() {
        Set<String> rows = new TreeSet<>();
        Set<String> values = new TreeSet<>();
        for (Object key : (List<?>) server.command("KEYS", "*")) {
            switch ((String) server.command("TYPE", (String) key)) {
                case "zset" -> rows.addAll(rowsOf((String) key));
                case "string" -> values.add((String) key);
                default -> throw new AssertionError(key + " is neither");
            }
        }
        assertThat(rows).isEqualTo(rowsOfTable());
        assertThat(values).containsExactlyInAnyOrder(EVENT.id(), TEMPERATURE.id(), POWER.id());
    }

    private Set<String> rowsOf(String key) {
        List<?> reply = (List<?>) server.command("ZRANGE", key, "0", "-1", "WITHSCORES");
        Set<String> rows = new TreeSet<>();
        for (int i = 0; i < reply.size(); i += 2) {
            rows.add(key + " " + reply.get(i + 1) + " " + reply.get(i));
        }
        return rows;
    }

    private static Set<String> rowsOfTable() {
        Set<String> rows = new TreeSet<>();
        TABLE.lines()
                .skip(2)
                .map(line -> line.replace("|", " ").strip().replaceAll(" +", " "))
                .forEach(rows::add);
        assertThat(rows).hasSize(12);
        return rows;
    }

    @Test
    void a_value_is_the_entity_as_json() {
        assertThat(server.command("GET", TEMPERATURE.id()))
                .isEqualTo(
                        """
                        {"id":"57b9fe08189b95b8afcdafd4","pushed":0,"device":"123456789",\
                        "created":1471806984866,"modified":1471807130870,"origin":1471806386919,\
                        "name":"temperature","value":"39"}\
                        """);
        byte[] json = ((String) server.command("GET", EVENT.id())).getBytes(StandardCharsets.UTF_8);
        assertThat(EVENTS.mapping().decode(EVENT.id(), new Raw.Text(json))).isEqualTo(EVENT);
    }
}
