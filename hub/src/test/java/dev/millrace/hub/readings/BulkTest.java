package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code POST /api/v1/events}. */
@OnEachSite
final class BulkTest extends RoomContract {
    private static final int MANY = 3_000;

    private static List<JsonNode> lines(String body) {
        return body.lines().map(Json.MAPPER::readTree).toList();
    }

    private static String bulk(int from, int count, String separator) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> event("pump" + i % 7, 1000 + i, "power", "torque"))
                .collect(Collectors.joining(separator));
    }

    @Override
    String[] settings() {
        return new String[] {"readings.max-results=50", "readings.max-readings=3"};
    }

    @Test
    void each_line_is_an_event_with_a_result() {
        Reply reply = hub.send("POST", "/api/v1/events", bulk(0, MANY, "\n") + "\n\n");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).isEqualTo("application/x-ndjson");
        List<JsonNode> results = lines(reply.body());
        assertThat(results).hasSize(MANY);
        Set<String> ids = new HashSet<>();
        for (JsonNode result : results) {
            assertThat(result.get("status").asInt()).isEqualTo(200);
            ids.add(result.get("id").asString());
        }
        assertThat(ids).hasSize(MANY);
        assertThat(get("event/count").body()).isEqualTo(Integer.toString(MANY));
        assertThat(get("reading/count").body()).isEqualTo(Integer.toString(2 * MANY));
        JsonNode last = get("event/" + results.getLast().get("id").asString()).json();
        assertThat(last.get("created").asLong()).isEqualTo(1000 + MANY - 1);
    }

    @Test
    void an_array_gives_an_array() {
        Reply reply = hub.send("POST", "/api/v1/events", " [" + bulk(0, 700, ", ") + "]");
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        assertThat(reply.json()).hasSize(700);
        assertThat(get("event/count").body()).isEqualTo("700");
        assertThat(hub.send("POST", "/api/v1/events", "[]").body()).isEqualTo("[]\n");
    }

    @Test
    void what_is_wrong_with_one_line_is_no_matter_of_the_others() {
        String good = event("pump", 5, "power");
        String known = "01020304-0506-0708-090a-0b0c0d0e0f10";
        String withId = "{\"id\":\"" + known + "\",\"device\":\"pump\"}";
        List<String> sent =
                List.of(
                        good,
                        "{\"readings\":[]}",
                        "{broken",
                        "{\"device\":5,\"x\":{\"y\":[1,2]}}",
                        good,
                        event("pump", 5, "a", "b", "c", "d"),
                        "{\"id\":\"7\",\"device\":\"pump\"}",
                        withId,
                        withId,
                        good);
        List<Integer> expected = List.of(200, 400, 400, 400, 200, 413, 400);
        Reply reply = hub.send("POST", "/api/v1/events", String.join("\n", sent));
        List<Integer> statuses = statuses(lines(reply.body()));
        assertThat(statuses.subList(0, 7)).isEqualTo(expected);
        assertThat(statuses.subList(7, 9)).containsExactlyInAnyOrder(200, 409);
        assertThat(statuses.getLast()).isEqualTo(200);
        assertThat(get("event/count").body()).isEqualTo("4");
    }

    @Test
    void in_an_array_only_what_is_no_json_ends_it() {
        String good = event("pump", 5, "power");
        String body =
                "[%s,{\"readings\":[]},{\"device\":5,\"x\":{\"y\":[1,2]}},7,%s,{\"device\":\"p\",\"created\":99999999999999999999,\"readings\":[]},%s,{broken},%s]"
                        .formatted(good, good, good, good);
        Reply reply = hub.send("POST", "/api/v1/events", body);
        List<JsonNode> results = new ArrayList<>();
        reply.json().forEach(results::add);
        assertThat(statuses(results)).containsExactly(200, 400, 400, 400, 200, 400, 200, 400);
        assertThat(results.getLast().get("error").asString()).contains("line 1");
        assertThat(get("event/count").body()).isEqualTo("3");
    }

    private static List<Integer> statuses(List<JsonNode> results) {
        return results.stream().map(each -> each.get("status").asInt()).toList();
    }

    @ParameterizedTest
    @CsvSource({"'',400", "'  \n ',400"})
    void nothing_is_not_a_body(String body, int status) {
        assertThat(hub.send("POST", "/api/v1/events", body).status()).isEqualTo(status);
    }

    @Test
    void an_event_that_is_too_long_is_refused_and_the_next_one_taken() {
        String huge = "{\"device\":\"pump\",\"x\":\"" + "a".repeat(5 << 20) + "\"}";
        String good = event("pump", 5, "power");
        Reply reply = hub.send("POST", "/api/v1/events", huge + "\n" + good);
        assertThat(statuses(lines(reply.body()))).containsExactly(413, 200);
        Reply array = hub.send("POST", "/api/v1/events", "[" + good + "," + huge + "]");
        assertThat(array.json().get(1).get("status").asInt()).isEqualTo(413);
    }

    /** Who waits for each result, and who reads nothing before he has sent everything. */
    @Test
    void results_come_while_events_are_sent_and_wait_for_those_who_do_not_read() throws Exception {
        URI url = URI.create(hub.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            OutputStream out = socket.getOutputStream();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            out.write(
                    "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes(UTF_8));
            for (int i = 0; i < 3; i++) {
                chunk(out, bulk(i, 1, "") + "\n");
                assertThat(result(in)).contains("\"status\":200");
            }
            for (int i = 0; i < 20; i++) {
                chunk(out, bulk(i * 100, 100, "\n") + "\n");
            }
            for (int i = 0; i < 2000; i++) {
                assertThat(result(in)).contains("\"status\":200");
            }
            out.write("0\r\n\r\n".getBytes(UTF_8));
        }
        assertThat(get("event/count").body()).isEqualTo("2003");
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes(UTF_8));
        out.flush();
    }

    private static String result(BufferedReader in) throws IOException {
        String line = in.readLine();
        while (line != null && !line.startsWith("{")) {
            line = in.readLine();
        }
        return String.valueOf(line);
    }
}
