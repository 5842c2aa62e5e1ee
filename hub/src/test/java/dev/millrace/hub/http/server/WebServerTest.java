package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** What a client sees of a server and its routes. */
class WebServerTest {
    private record Order(String item, int count) {}

    private record Asked(String q, int n) {}

    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);

    private final List<Route> routes =
            List.of(
                    route("/hello").by(request -> Answer.text(200, "hello")),
                    route("/things/{id}").by(request -> Answer.text(200, request.variable("id"))),
                    route("/things/all").by(request -> Answer.text(200, "all of them")),
                    route("/numbers/{n:digits}")
                            .by(request -> Answer.text(200, request.variable("n"))),
                    route("/prompt")
                            .promptlyBy(
                                    request ->
                                            CompletableFuture.completedFuture(
                                                    Answer.json(Map.of("prompt", true)))),
                    route("/broken")
                            .by(
                                    request -> {
                                        throw new IllegalStateException("secret detail");
                                    }),
                    route("/full")
                            .by(
                                    request -> {
                                        throw new RedisException(Reason.FULL, "Redis is full.");
                                    }),
                    route("/query")
                            .by(
                                    request ->
                                            Answer.json(
                                                    new Asked(
                                                            request.query("q").orElse("-"),
                                                            request.number("n", 7, 1, 9)))),
                    route("/large").by(request -> Answer.text(200, "millrace ".repeat(5000))),
                    route("/streamed")
                            .by(
                                    request ->
                                            Answer.streamed(
                                                    "text/plain",
                                                    out -> {
                                                        for (int i = 0; i < 200_000; i++) {
                                                            out.write(
                                                                    "0123456789"
                                                                            .getBytes(
                                                                                    StandardCharsets
                                                                                            .US_ASCII));
                                                        }
                                                    })),
                    route("/cannot-be-written")
                            .by(
                                    request ->
                                            Answer.streamed("text/plain", out -> out.write(1))
                                                    .with("X-Two-Lines", "one\r\ntwo")),
                    route("/waits")
                            .by(
                                    request -> {
                                        inside.countDown();
                                        release.await();
                                        return Answer.text(200, "waited");
                                    }),
                    Route.post("/orders")
                            .needs(Role.OPERATOR, "test")
                            .about("Takes an order.")
                            .maxBody(200)
                            .by(request -> Answer.json(201, request.json(Order.class))));

    private TestWeb web = start("1m");

    private TestWeb start(String timeOut) {
        return TestWeb.with(routes, "http.max-in-flight=1", "http.request-time-out=" + timeOut);
    }

    private static Route.Draft route(String path) {
        return Route.get(path).needs(Role.VIEWER, "test").about("For a test.");
    }

    @AfterEach
    void stop() {
        release.countDown();
        web.close();
    }

    @Test
    void blocking_and_prompt_handlers_answer() {
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        HttpResponse<String> prompt = web.get("/prompt");
        assertThat(prompt.body()).isEqualTo("{\"prompt\":true}");
        assertThat(prompt.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void paths_are_decoded_once_and_slashes_separate_however_they_are_written() {
        assertThat(web.get("/things/a%20b").body()).isEqualTo("a b");
        assertThat(web.get("/things/a+b").body()).isEqualTo("a+b");
        assertThat(web.get("/things/%2561").body()).isEqualTo("%61");
        assertThat(web.get("/things/%C3%A4").body()).isEqualTo("ä");
        assertThat(web.get("/things/all").body()).isEqualTo("all of them");
        assertThat(web.get("/things%2Fall").body()).isEqualTo("all of them");
        assertThat(web.get("/things/..").body()).isEqualTo("..");
        assertThat(web.get("/things/").statusCode()).isEqualTo(404);
        assertThat(web.get("//hello").statusCode()).isEqualTo(404);
        assertThat(web.get("/x/../hello").statusCode()).isEqualTo(404);
        assertThat(web.get("/hello/").statusCode()).isEqualTo(404);
        assertThat(web.get("/numbers/12").body()).isEqualTo("12");
        assertThat(web.get("/numbers/1x").statusCode()).isEqualTo(404);
    }

    @Test
    void paths_that_are_no_utf_8_are_refused() throws Exception {
        for (String path : List.of("/things/%", "/things/%zz", "/things/%ff", "/things/%c3%28")) {
            assertThat(
                            web.raw(
                                    "GET "
                                            + path
                                            + " HTTP/1.1\r\n"
                                            + "Host: localhost\r\n"
                                            + "Connection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void unknown_paths_and_methods_are_problems() {
        HttpResponse<String> unknown = web.get("/nothing");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.headers().firstValue("Content-Type"))
                .contains("application/problem+json");
        HttpResponse<String> wrong = web.send("PUT", "/hello", "x");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(web.send("BREW", "/hello", "").statusCode()).isEqualTo(405);
    }

    @Test
    void head_is_get_without_its_body() {
        HttpResponse<String> head = web.send("HEAD", "/hello", "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).contains("5");
    }

    @Test
    void json_comes_in_and_goes_out() {
        HttpResponse<String> made = web.send("POST", "/orders", "{\"item\":\"hops\",\"count\":3}");
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(made.body()).isEqualTo("{\"item\":\"hops\",\"count\":3}");
    }

    @Test
    void a_body_that_is_wrong_is_the_callers_mistake_and_says_where() {
        for (String body :
                List.of("{", "[]", "{\"item\":1,\"count\":\"x\"}", "null", "{} x", "\"\u0000\"")) {
            HttpResponse<String> answer = web.send("POST", "/orders", body);
            assertThat(answer.statusCode()).as(body).isEqualTo(400);
            assertThat(answer.body()).contains("bad-body").doesNotContain("Exception");
        }
        assertThat(web.send("POST", "/orders", "x".repeat(201)).statusCode()).isEqualTo(413);
    }

    @Test
    void a_mistake_of_ours_is_a_500_without_its_secrets() {
        HttpResponse<String> answer = web.get("/broken");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("internal").doesNotContain("secret");
    }

    @Test
    void a_redis_that_cannot_take_it_is_a_503_with_the_reason() {
        HttpResponse<String> answer = web.get("/full");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body()).contains("Redis is full.");
    }

    @Test
    void parameters_are_checked() {
        assertThat(web.get("/query?q=a%20b+c&n=3").body()).isEqualTo("{\"q\":\"a b c\",\"n\":3}");
        assertThat(web.get("/query?q").body()).isEqualTo("{\"q\":\"\",\"n\":7}");
        assertThat(web.get("/query?n=10").statusCode()).isEqualTo(400);
        assertThat(web.get("/query?n=x").statusCode()).isEqualTo(400);
    }

    @Test
    void large_texts_are_packed_for_those_who_can_unpack_them() {
        assertThat(web.get("/large").body()).hasSize(45_000);
        HttpResponse<String> packed = web.get("/large", "Accept-Encoding", "br, gzip");
        assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(web.get("/large", "Accept-Encoding", "gzip;q=0").headers().map())
                .doesNotContainKey("content-encoding");
        assertThat(web.get("/hello", "Accept-Encoding", "gzip").body()).isEqualTo("hello");
    }

    @Test
    void a_streamed_answer_arrives_whole() {
        assertThat(web.get("/streamed").body()).hasSize(2_000_000);
    }

    @Test
    void the_request_id_is_the_callers_or_ours() {
        assertThat(web.get("/hello", "X-Request-ID", "mine-7").headers().firstValue("X-Request-ID"))
                .contains("mine-7");
        assertThat(web.get("/hello").headers().firstValue("X-Request-ID")).isPresent();
    }

    @Test
    void more_than_the_limit_in_flight_are_told_to_come_again() throws Exception {
        CompletableFuture<HttpResponse<String>> first =
                CompletableFuture.supplyAsync(() -> web.get("/waits"));
        inside.await();
        HttpResponse<String> second = web.get("/hello");
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        release.countDown();
        assertThat(first.join().body()).isEqualTo("waited");
        assertThat(web.get("/hello").body()).isEqualTo("hello");
    }

    @Test
    void what_takes_too_long_is_answered_and_interrupted() {
        web.close();
        web = start("1s");
        HttpResponse<String> answer = web.get("/waits");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("time-out");
        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(web.get("/hello").statusCode()).isEqualTo(200));
    }

    @Test
    void pages_of_other_sites_change_nothing() {
        String body = "{\"item\":\"hops\",\"count\":3}";
        assertThat(web.send("POST", "/orders", body, "Origin", "https://evil.example").statusCode())
                .isEqualTo(403);
        assertThat(web.send("POST", "/orders", body, "Origin", web.server().url()).statusCode())
                .isEqualTo(201);
    }

    @Test
    void a_stop_lets_what_is_in_flight_come_to_its_end() throws Exception {
        CompletableFuture<HttpResponse<String>> answer =
                CompletableFuture.supplyAsync(() -> web.get("/waits"));
        inside.await();
        Thread stopping = Thread.ofVirtual().start(() -> web.server().close());
        release.countDown();
        assertThat(answer.join().body()).isEqualTo("waited");
        stopping.join();
    }

    @Test
    void a_streamed_answer_whose_head_cannot_be_written_fails_and_leaves_its_place() {
        HttpResponse<String> failed = web.get("/cannot-be-written");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.headers().allValues("X-Request-ID")).hasSize(1);
        web.awaitQuiet();
        assertThat(web.get("/hello").body()).isEqualTo("hello");
    }
}
