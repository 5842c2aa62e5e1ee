package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The table of states, with a hub that is killed between each state and what happens next: a rule
 * and a point for every cell, all of them made by one hub, led on by the next, and found unchanged
 * by the one after it.
 */
class StateKillTest {
    private static final String GOLDEN = "/dev/millrace/hub/alarms/logic/states-%s.txt";

    /** In the table they are five seconds; here they outlast the test. */
    private static final String DELAYS = ",\"on_delay\":3600,\"off_delay\":3600";

    private static final List<String> EVENTS =
            List.of(
                    "met",
                    "unmet",
                    "bad",
                    "acknowledge",
                    "shelve",
                    "unshelve",
                    "reset",
                    "clear",
                    "raise",
                    "disable");

    private record Cell(String state, String event, String expected, String id, int point) {}

    @TempDir private Path directory;

    private static List<Cell> cells() throws IOException {
        List<Cell> cells = new ArrayList<>();
        for (String table : List.of("without-delays", "with-delays")) {
            for (String line : lines(table)) {
                String[] parts = line.split(" \\| ");
                boolean delayed = parts[0].equals("pending") || parts[0].equals("clearing");
                if (EVENTS.contains(parts[1])
                        && !parts[0].endsWith("over")
                        // The table looks at another value for it than the one that raised it.
                        && !parts[2].contains("reset")
                        && delayed == table.equals("with-delays")) {
                    int point = cells.size() + 1;
                    cells.add(new Cell(parts[0], parts[1], parts[2], "c" + point, point));
                }
            }
        }
        return cells;
    }

    private static List<String> lines(String table) throws IOException {
        try (InputStream in = StateKillTest.class.getResourceAsStream(GOLDEN.formatted(table))) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    @Test
    void every_state_outlives_its_hub_and_what_happens_then_is_what_the_table_says()
            throws Exception {
        List<Cell> cells = cells();
        assertThat(cells).hasSizeGreaterThan(80);
        List<String> wrong = new ArrayList<>();
        try (TestServer server = TestServer.start()) {
            Somebody somebody = new Somebody(server);
            try (Millrace first = hub(server);
                    Client client = new Client(String.valueOf(first.url()))) {
                cells.forEach(cell -> begin(client, cell));
                client.rule("late", 1, 998, ">", ",\"on_delay\":1");
                client.value(1, 998, "90");
                client.rule("gone", 1, 999, ">", ",\"off_delay\":1");
                client.value(1, 999, "90");
                client.value(1, 999, "80");
                first.signal("KILL").end();
            }
            Map<String, String> before = states(somebody, cells);
            try (Millrace second = hub(server);
                    Client client = new Client(String.valueOf(second.url()))) {
                await().until(() -> client.status("late").equals("active"));
                await().until(() -> client.status("gone").equals("cleared"));
                assertThat(states(somebody, cells)).isEqualTo(before);
                cells.forEach(cell -> happen(client, somebody, cell, before, wrong));
                second.signal("KILL").end();
            }
            assertThat(wrong).isEmpty();
            // What was cleared by hand comes again with the next look at a value that is too high,
            // and
            // what was raised by hand ends with the next look at one that is not.
            List<Cell> left =
                    cells.stream()
                            .filter(cell -> !List.of("clear", "raise").contains(cell.event))
                            .toList();
            Map<String, String> after = states(somebody, left);
            try (Millrace third = hub(server);
                    Client client = new Client(String.valueOf(third.url()))) {
                client.value(2, 1, "1");
                assertThat(states(somebody, left)).isEqualTo(after);
                assertThat(somebody.field("status:system", "active_alarms"))
                        .isEqualTo(Integer.toString(somebody.members("idx:alarm:active").size()));
            }
        }
    }

    // ---------------------------------------------------------------- states

    private static void begin(Client client, Cell cell) {
        client.rule(cell.id, 1, cell.point, ">", cell.state.equals("pending") ? DELAYS : "");
        switch (cell.state) {
            case "none" -> {}
            case "norm" -> {
                value(client, cell, "90");
                post(client, cell, "acknowledge", "{}");
                value(client, cell, "80");
            }
            case "unack", "pending" -> value(client, cell, "90");
            case "acked" -> {
                value(client, cell, "90");
                post(client, cell, "acknowledge", "{}");
            }
            case "rtnun" -> {
                value(client, cell, "90");
                value(client, cell, "80");
            }
            case "shelved" -> post(client, cell, "shelve", "{\"duration\":3600}");
            case "shelved, raised" -> {
                value(client, cell, "90");
                post(client, cell, "shelve", "{\"duration\":3600}");
            }
            case "oosrv" -> {
                value(client, cell, "90");
                client.post("/api/alarm-rules/" + cell.id + "/disable", "{}");
            }
            case "clearing" -> {
                value(client, cell, "90");
                client.rule(cell.id, 1, cell.point, ">", DELAYS);
                value(client, cell, "80");
            }
            default -> throw new AssertionError("How does " + cell.state + " come about?");
        }
    }

    private static Reply value(Client client, Cell cell, String value) {
        String body = "{\"%d\":%s}".formatted(cell.point, value);
        return client.send("POST", "/api/channels/1/T", body);
    }

    private static Reply post(Client client, Cell cell, String verb, String body) {
        return client.send("POST", "/api/alarms/" + cell.id + "/" + verb, body);
    }

    private static String state(Somebody somebody, String id) {
        Map<String, String> hash = somebody.hash("alarm:" + id);
        return hash.getOrDefault("state", "-")
                + (hash.getOrDefault("status", "").equals("active") ? "*" : "")
                + (hash.containsKey("pending_since") ? " pending" : "")
                + (hash.containsKey("clearing_since") ? " clearing" : "");
    }

    private static Map<String, String> states(Somebody somebody, List<Cell> cells) {
        Map<String, String> states = new LinkedHashMap<>();
        cells.forEach(
                cell ->
                        states.put(
                                cell.id + " " + cell.state + " " + cell.event,
                                state(somebody, cell.id)));
        return states;
    }

    // ---------------------------------------------------------------- events

    private static Reply event(Client client, Cell cell) {
        return switch (cell.event) {
            case "met" -> value(client, cell, "90");
            case "unmet" -> value(client, cell, "80");
            case "bad" ->
                    client.send(
                            "POST",
                            "/api/channels/1/T",
                            "{\"points\":{\"%d\":90},\"quality\":\"bad\"}".formatted(cell.point));
            case "shelve" -> post(client, cell, "shelve", "{\"duration\":3600}");
            case "acknowledge", "unshelve", "reset" -> post(client, cell, cell.event, "{}");
            case "clear" -> client.send("DELETE", "/api/alarms/" + cell.id, "");
            case "raise" ->
                    client.send("POST", "/api/alarms", "{\"id\":\"" + cell.id + "\",\"value\":1}");
            case "disable" -> client.send("POST", "/api/alarm-rules/" + cell.id + "/disable", "{}");
            default -> throw new AssertionError(cell.event);
        };
    }

    private static void happen(
            Client client,
            Somebody somebody,
            Cell cell,
            Map<String, String> before,
            List<String> wrong) {
        long newest = somebody.events().getFirst().path("seq").asLong();
        Reply reply = event(client, cell);
        String was = before.getOrDefault(cell.id + " " + cell.state + " " + cell.event, "");
        String now = state(somebody, cell.id);
        List<String> told = new ArrayList<>();
        for (JsonNode each : somebody.events().reversed()) {
            String type = each.path("type").asString();
            if (each.path("seq").asLong() > newest && !type.startsWith("rule_")) {
                told.add(type);
            }
        }
        String said =
                switch (cell.expected) {
                    case "=" -> reply.status() / 100 == 2 && now.equals(was) ? "=" : now;
                    case "never raised" -> reply.status() == 404 ? cell.expected : reply.body();
                    case "not now" -> reply.status() == 409 ? cell.expected : reply.body();
                    default -> changed(was, now) + (told.isEmpty() ? "" : ": ") + join(told);
                };
        if (!said.equals(cell.expected)) {
            wrong.add("%s | %s | %s".formatted(cell.state, cell.event, said));
        }
    }

    /** A delay is named in the table where it begins. */
    private static String changed(String was, String now) {
        String plain = now;
        for (String delay : List.of(" pending", " clearing")) {
            plain = was.contains(delay) ? plain.replace(delay, "") : plain;
        }
        return plain;
    }

    private static String join(List<String> words) {
        return String.join(" ", words);
    }
}
