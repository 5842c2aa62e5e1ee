package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** Bodies that are not what a route takes: always told so, and never in words of the inside. */
class BadBodiesTest {
    /** Names of classes, and what libraries call their own things. */
    private static final Pattern INSIDE =
            Pattern.compile(
                    "(dev\\.millrace|java|javax|tools\\.jackson|com\\.fasterxml|io\\.vertx|io\\.netty)"
                        + "(\\.[a-z]\\w*)*\\.[A-Z]\\w*|Exception|START_OBJECT|START_ARRAY|Constraints|deserializ|record"
                        + " component");

    private static final List<String> BODIES =
            List.of(
                    "[]",
                    "{}",
                    "null",
                    "1",
                    "\"text\"",
                    "true",
                    "{",
                    "[{",
                    "nonsense",
                    "[1,\"a\",{}]",
                    "{\"name\":{},\"role\":[],\"value\":[],\"values\":{},\"channels\":1}",
                    "{\"name\":\"n\",\"role\":\"king\",\"scopes\":[{}],\"expires\":{}}",
                    "{\"slug\":1,\"sender\":[],\"severity\":\"x\",\"category\":7,\"content\":{}}",
                    "{\"id\":[],\"device\":{},\"created\":\"x\",\"readings\":7}",
                    "{\"logger\":[],\"level\":{},\"for\":1}",
                    "{\"namespace\":[],\"id\":{},\"ids\":1,\"filter\":[]}",
                    "{\"created\":99999999999999999999999999}",
                    "{\"a\":" + "[".repeat(3000) + "]".repeat(3000) + "}",
                    "{\"a\":" + "9".repeat(5000) + "}",
                    "{} trailing");

    private static TestHub hub;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        hub = TestHub.start(SharedServers.standalone());
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        hub.close();
    }

    private static HttpResponse<String> send(
            String method, String path, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void no_route_answers_in_words_of_the_inside() throws Exception {
        for (Route route : hub.hub().table().routes()) {
            String method = route.method().name();
            if (!List.of("POST", "PUT", "PATCH").contains(method)) {
                continue;
            }
            String path = route.path().replaceAll("\\{[^}]*}", "7");
            for (String body : BODIES) {
                HttpResponse<String> reply = send(method, path, body.getBytes(UTF_8));
                String line =
                        "%s %s %.60s: %d %s"
                                .formatted(method, path, body, reply.statusCode(), reply.body());
                assertThat(reply.statusCode()).as(line).isNotEqualTo(500);
                assertThat(INSIDE.matcher(reply.body()).find()).as(line).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/notification | [] | it must be an object (line 1, column 1)",
                "/api/v1/subscription | {\"channels\":[{\"type\":\"PIGEON\"}]} |"
                        + " channels[0].type: 'PIGEON' is not a valid",
                "/ops/tokens | [] | it must be an object",
                "/ops/tokens | {\"name\":[]} | name must be a text",
                "/ops/tokens | {\"name\" | it ends too early (line 1, column 8)",
                "/ops/tokens | {name} | it is not valid JSON (line 1, column 2)",
                "/ops/tokens | {} {} | something follows after its end",
            })
    void the_answer_says_what_was_expected_and_where(String path, String body, String sentence)
            throws Exception {
        HttpResponse<String> reply = send("POST", path, body.getBytes(UTF_8));
        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(reply.body()).contains(sentence);
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(UTF_8));
        }
        return out.toByteArray();
    }

    private static final String DOCUMENT = "{\"namespace\":\"a\",\"id\":\"x\",\"n\":1}\n";
    private static final String EVENT =
            "{\"device\":\"d\",\"readings\":[{\"name\":\"n\",\"value\":\"1\"}]}";

    /** All of these go on while their body arrives, or take it whole. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "/api/v1/event",
                "/api/v1/notification",
                "/history/datastore/set",
                "/history/datastore/import",
                "/ops/tokens"
            })
    void a_packed_body_that_is_cut_or_spoiled_is_a_bad_request(String path) throws Exception {
        byte[] whole = packed(DOCUMENT);
        for (int length = 1; length < whole.length; length++) {
            assertThat(refused(path, Arrays.copyOf(whole, length)))
                    .as("cut at " + length)
                    .isEqualTo(400);
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] spoiled = whole.clone();
            spoiled[at] ^= 0x55;
            assertThat(refused(path, spoiled)).as("spoiled at " + at).isBetween(200, 499);
        }
    }

    private static int refused(String path, byte[] body) throws Exception {
        HttpResponse<String> reply = send("POST", path, body, "Content-Encoding", "gzip");
        assertThat(INSIDE.matcher(reply.body()).find()).as(reply.body()).isFalse();
        return reply.statusCode();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[ | , | ]", "'' | '\n' | '\n'"})
    void many_events_whose_packed_body_is_cut_are_told_so_in_the_last_result(
            String before, String between, String after) throws Exception {
        byte[] whole =
                packed(
                        String.valueOf(before)
                                + String.join(between, List.of(EVENT, EVENT, EVENT))
                                + after);
        for (int length = 1; length < whole.length; length++) {
            HttpResponse<String> reply =
                    send(
                            "POST",
                            "/api/v1/events",
                            Arrays.copyOf(whole, length),
                            "Content-Encoding",
                            "gzip");
            assertThat(reply.statusCode()).as("cut at " + length).isIn(200, 400);
            // Who has sent the end of the array has sent everything.
            if (reply.statusCode() == 200 && reply.body().split("\"id\"", -1).length < 4) {
                assertThat(reply.body()).contains("gzip").contains("400");
            }
            assertThat(INSIDE.matcher(reply.body()).find()).as(reply.body()).isFalse();
        }
    }

    @Test
    void a_scope_that_is_null_and_a_key_that_is_too_long_are_the_callers_mistakes() {
        assertThat(
                        hub.send(
                                        "POST",
                                        "/ops/tokens",
                                        "{\"name\":\"x\",\"role\":\"viewer\",\"scopes\":[null]}")
                                .status())
                .isEqualTo(400);
        String document =
                "{\"value\":{\"namespace\":\"%s\",\"id\":\"x\"}}".formatted("y".repeat(70_000));
        assertThat(
                        hub.send(
                                        "POST",
                                        "/history/datastore/set",
                                        "application/json",
                                        document.getBytes(UTF_8))
                                .status())
                .isEqualTo(422);
    }
}
