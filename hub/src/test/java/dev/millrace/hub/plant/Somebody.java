package dev.millrace.hub.plant;

import dev.millrace.hub.Quiet;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Somebody else at the same Redis, with a plain client and without a word to the hub. */
final class Somebody {
    private final TestServer server;

    Somebody(TestServer server) {
        this.server = server;
    }

    /** A command as it is typed, words between blanks; quotes are left out. */
    @Nullable Object line(String line) {
        return server.command(words(line));
    }

    /** All of them in one go, as {@code redis-cli --pipe} would. */
    void piped(List<String> lines) {
        try (RawConnection connection = server.connect()) {
            lines.forEach(line -> connection.send(words(line)));
            lines.forEach(line -> connection.read());
        }
    }

    private static String[] words(String line) {
        return line.replace("\"", "").split(" ");
    }

    Map<String, String> hash(String key) {
        List<?> flat = list("HGETALL", key);
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        return fields;
    }

    String field(String key, String field) {
        return hash(key).getOrDefault(field, "");
    }

    Set<String> members(String key) {
        Set<String> members = new TreeSet<>();
        list("SMEMBERS", key).forEach(each -> members.add(String.valueOf(each)));
        return members;
    }

    RawConnection connect() {
        return server.connect();
    }

    void set(String key, String text) {
        server.command("SET", key, text);
    }

    /** Empty if there is none. */
    String text(String key) {
        Object text = server.command("GET", key);
        return text == null ? "" : text.toString();
    }

    JsonNode json(String key) {
        return Json.MAPPER.readTree(text(key));
    }

    /** The elements of a list of JSON, newest first. */
    List<JsonNode> logged(String key) {
        List<JsonNode> all = new ArrayList<>();
        list("LRANGE", key, "0", "-1")
                .forEach(each -> all.add(Json.MAPPER.readTree(String.valueOf(each))));
        return all;
    }

    boolean exists(String key) {
        return Objects.equals(server.command("EXISTS", key), 1L);
    }

    private List<?> list(String... command) {
        return (List<?>) Objects.requireNonNull(server.command(command));
    }

    /** All events of alarms that are kept, newest first. */
    List<JsonNode> events() {
        return logged("alarm:events");
    }

    List<JsonNode> events(String rule, String type) {
        return events().stream()
                .filter(event -> event.path("rule_id").asString("").equals(rule))
                .filter(event -> event.path("type").asString("").equals(type))
                .toList();
    }

    /** Everything that a call may have stored, and nothing that runs by the clock. */
    Map<String, Object> everything() {
        return Quiet.of(Site.STANDALONE.dump());
    }
}
