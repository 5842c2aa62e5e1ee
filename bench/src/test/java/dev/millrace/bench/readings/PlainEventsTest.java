package dev.millrace.bench.readings;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A ceiling is one only if it does the same. */
class PlainEventsTest {
    private static final long CREATED = 1_700_000_000_123L;
    private static final PlainEvents.Ids IDS = PlainEvents.Ids.of(Bodies.device(3));

    private RaceServer redis;

    /** The event of number 3 with ids and a time, as a client may give them. */
    private static String body() {
        String body = Bodies.event(3, CREATED);
        for (String id : IDS.readings()) {
            body = body.replaceFirst("\\{\"origin\"", "{\"id\":\"" + id + "\",\"origin\"");
        }
        return "{\"id\":\"" + IDS.event() + "\"," + body.substring(1);
    }

    /** What a hub writes by the clock, and what the engine and other rooms keep. */
    private static final Pattern OTHERS =
            Pattern.compile("millrace:.*(?<!:events)|(status|sync|hissrv):.*");

    /** Everything of the event that there is, by its key. */
    private Map<String, String> stored() {
        Map<String, String> all = new TreeMap<>();
        for (Object each : (List<?>) redis.call("KEYS", "*")) {
            String key = text(each);
            String plain = key.replaceFirst("^bench:", "millrace:");
            if (!OTHERS.matcher(plain).matches()) {
                all.put(plain, value(key));
            }
        }
        // How far a reader is says nothing of the event.
        all.remove("millrace:feed-readers:events");
        return all;
    }

    private String value(String key) {
        return switch (text(redis.call("TYPE", key))) {
            case "string" -> text(redis.call("GET", key));
            case "zset" -> text(redis.call("ZRANGE", key, "0", "-1", "WITHSCORES"));
            // The time at which it was announced is whatever it is.
            case "stream" -> text(redis.call("XRANGE", key, "-", "+")).replaceAll("1-[0-9]+", "1");
            case "hash" -> text(redis.call("HGETALL", key));
            default -> "another type";
        };
    }

    private static String text(Object reply) {
        return switch (reply) {
            case byte[] bytes -> new String(bytes, UTF_8);
            case List<?> list -> list.stream().map(PlainEventsTest::text).toList().toString();
            default -> String.valueOf(reply);
        };
    }

    @Test
    void plain_commands_write_just_what_the_hub_writes() throws Exception {
        try (RaceServer server = RaceServer.open(Optional.empty())) {
            redis = server;
            Map<String, String> byHub;
            try (WholeHub hub = WholeHub.start(WholeHub.Plan.on(server), line -> {})) {
                HttpLoad.each(hub.address(), List.of(hub.address().post("/api/v1/event", body())));
                byHub = stored();
            }
            assertThat(byHub).hasSize(3 + 8 + 1 + 2);
            for (PlainEvents.Way way :
                    List.of(PlainEvents.Way.TRANSACTIONS, PlainEvents.Way.COMMANDS)) {
                server.empty();
                try (PlainEvents plain = new PlainEvents(server, 1)) {
                    for (byte[][] command : plain.commands(way, 3, IDS, CREATED)) {
                        List<String> words = new ArrayList<>();
                        for (byte[] word : command) {
                            words.add(new String(word, UTF_8));
                        }
                        server.call(words.toArray(String[]::new));
                    }
                }
                assertThat(stored()).isEqualTo(byHub);
            }
        }
    }
}
