package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What pages of other sites may do. */
class CorsTest {
    private static final String SHOP = "https://shop.example";
    private static final String EVIL = "https://evil.example";

    private TestWeb web = start("http.cors.origins=" + SHOP);

    private static TestWeb start(String... set) {
        return TestWeb.with(
                List.of(
                        Route.get("/thing")
                                .needs(Role.VIEWER, "test")
                                .about("Reads.")
                                .by(request -> Answer.text(200, "thing")),
                        Route.put("/thing")
                                .needs(Role.OPERATOR, "test")
                                .about("Writes.")
                                .by(request -> Answer.empty(204))),
                Stream.concat(Stream.of("http.hosts=hub.example"), Arrays.stream(set))
                        .toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private void restart(String... set) {
        web.close();
        web = start(set);
    }

    /** Written by hand: a client of Java does not let itself set Host. */
    private String ask(String method, String... headers) throws IOException {
        StringBuilder text = new StringBuilder(method + " /thing HTTP/1.1\r\n");
        if (!String.join("", headers).contains("Host:")) {
            text.append("Host: hub.example:8080\r\n");
        }
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return web.raw(text + "Connection: close\r\n\r\n").toLowerCase(Locale.ROOT);
    }

    private String preflight(String origin) throws IOException {
        return ask(
                "OPTIONS",
                "Origin: " + origin,
                "Access-Control-Request-Method: PUT",
                "Access-Control-Request-Headers: authorization, x-a");
    }

    @Test
    void an_allowed_page_asks_first_and_then_writes() throws IOException {
        assertThat(preflight(SHOP))
                .startsWith("http/1.1 204 ")
                .contains("access-control-allow-origin: " + SHOP)
                .contains("access-control-allow-headers: authorization, x-a")
                .containsPattern("access-control-allow-methods: .*put")
                .contains("vary: origin");
        assertThat(ask("PUT", "Origin: " + SHOP))
                .startsWith("http/1.1 204 ")
                .contains("access-control-allow-origin: " + SHOP)
                .contains("vary: origin");
        assertThat(ask("GET", "Origin: " + SHOP)).contains("access-control-allow-origin: " + SHOP);
    }

    @Test
    void another_page_neither_reads_nor_writes() throws IOException {
        for (String origin :
                List.of(
                        EVIL,
                        "null",
                        "https://shop.example.evil.example",
                        "http://shop.example",
                        "https://shop.example:444",
                        "rubbish%%",
                        "http://")) {
            assertThat(preflight(origin))
                    .as(origin)
                    .startsWith("http/1.1 405 ")
                    .doesNotContain("access-control-allow");
            assertThat(ask("PUT", "Origin: " + origin)).as(origin).startsWith("http/1.1 403 ");
            assertThat(ask("GET", "Origin: " + origin))
                    .as(origin)
                    .doesNotContain("access-control-allow-origin")
                    .contains("vary: origin");
        }
    }

    @Test
    void a_cache_is_told_that_it_depends_on_the_page_also_where_none_asks() throws IOException {
        assertThat(ask("GET")).contains("vary: origin");
    }

    @Test
    void everybody_may_where_the_settings_say_so_but_never_with_cookies() throws IOException {
        restart("http.cors.origins=*");
        for (String all : List.of(preflight(EVIL), ask("PUT", "Origin: " + EVIL))) {
            assertThat(all)
                    .startsWith("http/1.1 204 ")
                    .contains("access-control-allow-origin: " + EVIL)
                    .doesNotContain("access-control-allow-credentials");
        }
    }

    @Test
    void our_own_pages_need_no_permission() throws IOException {
        restart();
        assertThat(ask("PUT", "Host: hub.example:8080", "Origin: http://hub.example:8080"))
                .startsWith("http/1.1 204 ");
        assertThat(ask("PUT", "Host: HUB.example", "Origin: https://hub.example"))
                .startsWith("http/1.1 204 ");
        assertThat(ask("PUT", "Host: hub.example:8080", "Origin: http://hub.example"))
                .startsWith("http/1.1 403 ");
        assertThat(ask("PUT")).startsWith("http/1.1 204 ");
        assertThat(ask("GET", "Origin: " + EVIL)).doesNotContain("access-control");
    }

    @Test
    void what_a_page_asks_for_cannot_bring_headers_of_its_own() throws IOException {
        assertThat(
                        ask(
                                "OPTIONS",
                                "Origin: " + SHOP,
                                "Access-Control-Request-Method: PUT",
                                "Access-Control-Request-Headers: a\rSet-Cookie: b"))
                .doesNotContain("\nset-cookie");
    }

    /** A browser takes an answer with two of these headers for one that it must not show. */
    @Test
    void a_stream_that_is_refused_says_once_which_page_may_read_it() {
        Route stream =
                Route.get("/stream")
                        .forAnyone()
                        .about("Streams nothing.")
                        .streamingBy(
                                (request, out) -> {
                                    throw Problem.of(Code.NOT_FOUND);
                                });
        web.close();
        web =
                TestWeb.with(
                        List.of(stream),
                        new Owners(Owner.compatible("test", ErrorShape.OURS)),
                        AccessSettings.defaults(),
                        "http.cors.origins=" + SHOP);
        HttpResponse<String> refused = web.get("/stream", "Origin", SHOP);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(refused.headers().allValues("Access-Control-Allow-Origin"))
                .containsExactly(SHOP);
        assertThat(refused.headers().allValues("Vary")).containsExactly("Origin");
    }
}
