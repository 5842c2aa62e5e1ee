package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.hub.shop.visits.PopularItems;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How the proxy gets on with clients and applications, good and bad ones, on plain sockets. */
class ProxyMannersTest {
    private static final int LARGE = 100 << 20;

    private final Deque<String> items = new ArrayDeque<>();
    private Shopfront shop;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        shop =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("page")),
                        "shop.proxy.answer-time-out=2s",
                        "shop.proxy.stall-time-out=2s",
                        "shop.proxy.connect-time-out=2s",
                        "shop.proxy.max-body=1MiB");
        items.addAll(List.of(Shopfront.items(4)));
        PopularItems.seen(shop.hub.keyspace(), items.toArray(String[]::new));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private String page() {
        return "/?item=" + items.pop();
    }

    private Application.Asked last() {
        return shop.application.all.getLast();
    }

    // ------------------------------------------------------------------ headers

    @Test
    void what_concerns_one_connection_stays_on_it() {
        shop.application.answers(
                Application.page(
                        "x",
                        "Connection: keep-alive, X-Hop",
                        "X-Hop: 1",
                        "Keep-Alive: timeout=9",
                        "Proxy-Authenticate: Basic",
                        "X-End: 1"));
        Visitor.Reply reply =
                shop.visitor.raw(
                        "GET /a HTTP/1.1\r\n"
                                + "Host: shop.example\r\n"
                                + "Connection: close, X-Mine, Host\r\n"
                                + "X-Mine: 1\r\n"
                                + "Keep-Alive: 5\r\n"
                                + "TE: trailers\r\n"
                                + "Trailer: X\r\n"
                                + "Proxy-Connection: x\r\n"
                                + "Upgrade: h2c\r\n"
                                + "HTTP2-Settings: AAMAAABkAARAAAAA\r\n"
                                + "Proxy-Authorization: Basic x\r\n"
                                + "X-End: 1\r\n\r\n",
                        false);
        assertThat(reply.header("X-End")).isEqualTo("1");
        for (String each : List.of("X-Hop", "Keep-Alive", "Proxy-Authenticate")) {
            assertThat(reply.header(each)).as(each).isEmpty();
        }
        for (String each :
                List.of(
                        "X-Mine",
                        "Keep-Alive",
                        "TE",
                        "Trailer",
                        "Proxy-Connection",
                        "Upgrade",
                        "HTTP2-Settings",
                        "Proxy-Authorization")) {
            assertThat(last().headers(each)).as(each).isEmpty();
        }
        assertThat(last().header("X-End")).contains("1");
        assertThat(last().header("Host")).contains("shop.example");
        assertThat(reply.header("Via")).startsWith("1.1 millrace-");
        assertThat(last().header("Via").orElseThrow()).startsWith("1.1 millrace-");
    }

    @Test
    void what_a_client_says_in_the_name_of_a_proxy_is_not_believed() {
        shop.visitor.get(
                "/a",
                "X-Forwarded-For: 1.2.3.4",
                "X-Forwarded-Host: evil.example",
                "X-Forwarded-Proto: https",
                "Forwarded: for=1.2.3.4",
                "X-Real-IP: 1.2.3.4",
                "X-Original-URL: /admin",
                "X-Rewrite-URL: /admin");
        assertThat(last().headers("X-Forwarded-For")).containsExactly("127.0.0.1");
        assertThat(last().headers("X-Forwarded-Host")).containsExactly("shop.example");
        assertThat(last().headers("X-Forwarded-Proto")).containsExactly("http");
        for (String each : List.of("Forwarded", "X-Real-IP", "X-Original-URL", "X-Rewrite-URL")) {
            assertThat(last().headers(each)).as(each).isEmpty();
        }
    }

    @Test
    void a_trusted_proxy_is_believed() {
        try (Shopfront behind =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("x")),
                        "shop.proxy.trusted=127.0.0.0/8")) {
            behind.visitor.get("/a", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https");
            Application.Asked last = behind.application.all.getLast();
            assertThat(last.headers("X-Forwarded-For")).containsExactly("1.2.3.4, 127.0.0.1");
            assertThat(last.headers("X-Forwarded-Proto")).containsExactly("https");
        }
    }

    // ------------------------------------------------------------------ requests that hide others

    @Test
    void requests_that_can_be_read_in_two_ways_are_refused_or_read_in_one() {
        String end = "Host: shop.example\r\n";
        for (String bad :
                List.of(
                        "GET /a HTTP/1.1\r\n\r\n",
                        "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                        "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n",
                        "GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n",
                        "GET a HTTP/1.1\r\n" + end + "\r\n",
                        "GET /a#b HTTP/1.1\r\n" + end + "\r\n",
                        "POST /a HTTP/1.1\r\n"
                                + end
                                + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                        "POST /a HTTP/1.1\r\n" + end + "Content-Length: +5\r\n\r\nhello",
                        "POST /a HTTP/1.1\r\n" + end + "Content-Length: -1\r\n\r\nhello",
                        "POST /a HTTP/1.1\r\n"
                                + end
                                + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                        "POST /a HTTP/1.1\r\n"
                                + end
                                + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                        "POST /a HTTP/1.1\r\n"
                                + end
                                + "Transfer-Encoding: chunked\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + "0\r\n\r\n",
                        "POST /a HTTP/1.1\r\n"
                                + end
                                + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                        "GET /a HTTP/1.1\r\n" + end + "X\0Y: 1\r\n\r\n",
                        "GET /a HTTP/1.1\r\n" + end + ": 1\r\n\r\n",
                        "NONSENSE\r\n\r\n",
                        "CONNECT shop.example:443 HTTP/1.1\r\n" + end + "\r\n",
                        "TRACE /a HTTP/1.1\r\n" + end + "\r\n",
                        "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n" + end + "\r\n",
                        "GET /a HTTP/1.1\r\n" + end + "X: " + "x".repeat(40_000) + "\r\n\r\n")) {
            int before = shop.application.all.size();
            Visitor.Reply reply = shop.visitor.raw(bad, false);
            String first = bad.substring(0, Math.min(80, bad.length()));
            assertThat(reply.status()).as(first).isIn(400, 405, 414, 431);
            assertThat(shop.application.all).as(first).hasSize(before);
        }
    }

    @Test
    void a_folded_line_belongs_to_the_header_before_it() {
        shop.visitor.raw(
                "POST /a HTTP/1.1\r\n"
                        + "Host: shop.example\r\n"
                        + "X: y\r\n"
                        + " Transfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n",
                false);
        assertThat(last().headers("Transfer-Encoding")).isEmpty();
        assertThat(last().header("X")).contains("y Transfer-Encoding: chunked");
    }

    @Test
    void a_request_in_the_body_of_another_is_a_body() throws IOException {
        String inner = "GET /smuggled HTTP/1.1\r\nHost: shop.example\r\n\r\n";
        String both =
                "POST /a HTTP/1.1\r\nHost: shop.example\r\nContent-Length: "
                        + (inner.length() + 5)
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + inner;
        try (Socket socket = shop.visitor.open()) {
            socket.getOutputStream().write(both.getBytes(ISO_8859_1));
            Visitor.Reply _ = Visitor.read(new BufferedInputStream(socket.getInputStream()), false);
        }
        // Whichever of the two lengths was believed, the application has one framing of ours.
        for (Application.Asked each : shop.application.all) {
            assertThat(
                            each.headers("Content-Length").isEmpty()
                                    || each.headers("Transfer-Encoding").isEmpty())
                    .isTrue();
        }
    }

    @Test
    void an_application_behind_itself_is_noticed() {
        String proxy = shop.hub.get("/shop/cache/stats").json().get("address").asString();
        int own = Integer.parseInt(proxy.substring(proxy.lastIndexOf(':') + 1));
        shop.application.answers(
                (asked, out, socket) -> {
                    // It passes on what it is asked, to us.
                    StringBuilder text =
                            new StringBuilder("GET " + asked.target() + " HTTP/1.1\r\n");
                    asked.headers().forEach(each -> text.append(each).append("\r\n"));
                    Visitor.Reply inner =
                            new Visitor("http://127.0.0.1:" + own)
                                    .raw(text + "Connection: close\r\n\r\n", false);
                    Application.send(out, inner.status() + " Inner", inner.text());
                    return true;
                });
        assertThat(shop.visitor.get("/round").status()).isEqualTo(508);
    }

    // ------------------------------------------------------------------ bodies

    @Test
    void bodies_go_both_ways_as_they_come() {
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "200 OK", new String(asked.body(), ISO_8859_1));
                    return true;
                });
        String body = "0123456789".repeat(50_000);
        assertThat(shop.visitor.send("PUT", "/a", body).text()).isEqualTo(body);
        Visitor.Reply chunked =
                shop.visitor.raw(
                        "POST /a HTTP/1.1\r\n"
                                + "Host: shop.example\r\n"
                                + "Transfer-Encoding: chunked\r\n"
                                + "Connection: close\r\n\r\n"
                                + "3\r\n"
                                + "abc\r\n"
                                + "2;x=y\r\n"
                                + "de\r\n"
                                + "0\r\n\r\n",
                        false);
        assertThat(chunked.text()).isEqualTo("abcde");
        Visitor.Reply expecting =
                shop.visitor.raw(
                        "POST /a HTTP/1.1\r\n"
                                + "Host: shop.example\r\n"
                                + "Expect: 100-continue\r\n"
                                + "Content-Length: 3\r\n"
                                + "Connection: close\r\n\r\n"
                                + "abc",
                        false);
        assertThat(expecting.status()).isIn(100, 200);
        Visitor.Reply old =
                shop.visitor.raw("GET /a HTTP/1.0\r\nHost: shop.example\r\n\r\n", false);
        assertThat(old.status()).isEqualTo(200);
    }

    @Test
    void a_body_that_is_too_large_is_refused() {
        assertThat(
                        shop.visitor
                                .raw(
                                        "POST /a HTTP/1.1\r\n"
                                                + "Host: shop.example\r\n"
                                                + "Content-Length: 2000000\r\n\r\n",
                                        false)
                                .status())
                .isEqualTo(413);
        assertThat(
                        shop.visitor
                                .raw(
                                        "POST /a HTTP/1.1\r\n"
                                                + "Host: shop.example\r\n"
                                                + "Transfer-Encoding: chunked\r\n\r\n"
                                                + "200000\r\n"
                                                + "x".repeat(0x200000)
                                                + "\r\n0\r\n\r\n",
                                        false)
                                .status())
                .isEqualTo(413);
    }

    @Test
    void a_hundred_megabytes_pass_through_and_are_not_kept() throws Exception {
        String page = page();
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            ("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n")
                                    .getBytes(ISO_8859_1));
                    byte[] piece = new byte[1 << 16];
                    for (int sent = 0; sent < LARGE; sent += piece.length) {
                        out.write(piece);
                    }
                    return true;
                });
        long bytes = 0;
        try (Socket socket = shop.visitor.open()) {
            socket.getOutputStream()
                    .write(
                            ("GET "
                                            + page
                                            + " HTTP/1.1\r\n"
                                            + "Host: shop.example\r\n"
                                            + "Connection: close\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            while (!Application.line(in).isEmpty()) {
                // The head.
            }
            byte[] piece = new byte[1 << 16];
            for (int read = in.read(piece); read > 0; read = in.read(piece)) {
                bytes += read;
            }
        }
        assertThat(bytes).isEqualTo(LARGE);
        await().until(() -> shop.hub.get("/shop/cache/pages").body().contains("too-large"));
        assertThat(shop.hub.get("/shop/cache/stats").json().get("bytes").asLong())
                .isLessThan(10_000);
    }

    @Test
    void a_page_without_end_reaches_its_client_and_nobody_waits_for_it() throws Exception {
        String page = page();
        CountDownLatch gone = new CountDownLatch(1);
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    .getBytes(ISO_8859_1));
                    try {
                        while (true) {
                            out.write(
                                    ("1000\r\n" + "x".repeat(0x1000) + "\r\n")
                                            .getBytes(ISO_8859_1));
                            out.flush();
                        }
                    } finally {
                        gone.countDown();
                    }
                });
        Socket first = shop.visitor.open();
        first.getOutputStream()
                .write(
                        ("GET " + page + " HTTP/1.1\r\nHost: shop.example\r\n\r\n")
                                .getBytes(ISO_8859_1));
        InputStream in = first.getInputStream();
        assertThat(in.readNBytes(2 << 20)).hasSize(2 << 20);
        try (Socket second = shop.visitor.open()) {
            second.getOutputStream()
                    .write(
                            ("GET " + page + " HTTP/1.1\r\nHost: shop.example\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            assertThat(second.getInputStream().readNBytes(1 << 16)).hasSize(1 << 16);
        }
        first.close();
        // The application is let go when its client is.
        gone.await();
    }

    @Test
    void bytes_that_have_no_place_in_an_address_arrive_in_the_form_that_has() {
        shop.visitor.raw(
                "GET /caf\u00c3\u00a9?q=\u00e9 HTTP/1.1\r\nHost: shop.example\r\n\r\n", false);
        assertThat(last().target()).isEqualTo("/caf%C3%A9?q=%E9");
    }

    @Test
    void nothing_beside_the_application_can_be_reached() {
        try (Shopfront below =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("x")),
                        "shop.proxy.upstream=" + shop.application.url() + "/base/")) {
            assertThat(below.visitor.get("/a/b..c?d=/../e").status()).isEqualTo(200);
            assertThat(last().target()).isEqualTo("/base/a/b..c?d=/../e");
            for (String each :
                    List.of("/../x", "/a/../../x", "/%2E%2e/x", "/a/..%2fx", "/..\\x", "/.%2e")) {
                assertThat(below.visitor.get(each).status()).as(each).isEqualTo(400);
            }
            assertThat(shop.application.all).hasSize(1);
        }
    }

    @Test
    void odd_bytes_in_headers_end_nothing() {
        String page = page();
        shop.visitor.get(page);
        for (char odd : new char[] {0, 1, 8, 11, 12, 31, 127, 128, 255}) {
            String request =
                    "GET " + page + " HTTP/1.1\r\nHost: shop.example\r\nX: a" + odd + "b\r\n";
            for (String more : List.of("\r\n", "Cookie: _\r\nCache-Control: no-cache\r\n\r\n")) {
                assertThat(shop.visitor.raw(request + more, false).status())
                        .as("%d %s", (int) odd, more)
                        .isIn(200, 400);
            }
            shop.application.answers(
                    (asked, out, socket) -> {
                        Application.send(out, "200 OK", "odd", "X: a" + odd + "b", "ETag: \"o\"");
                        return false;
                    });
            for (String wish :
                    List.of("X-Wish: none", "If-None-Match: \"x\"", "Range: bytes=0-1")) {
                Visitor.Reply reply = shop.visitor.get(page, "Cache-Control: no-cache", wish);
                assertThat(reply.status()).as("%d %s", (int) odd, wish).isIn(200, 206, 502, 503);
                if (odd >= 128) {
                    // Odd, and yet in use.
                    assertThat(reply.header("X")).isEqualTo("a" + odd + "b");
                }
            }
            shop.application.answers(Application.page("fine"));
            await().until(() -> shop.visitor.get("/a").text().equals("fine"));
        }
        await().until(() -> figure("millrace_proxy_asking").equals("0.0"));
    }

    @Test
    void cookies_by_the_hundred_are_one_visitor_at_most() {
        String page = page();
        String token = "a-token-of-a-visitor";
        shop.hub.send("PUT", "/shop/sessions/" + token, "{\"user\":\"ada\"}");
        String many = "session=not-a-token; other=x; ".repeat(300);
        assertThat(shop.visitor.get(page, "Cookie: " + many).status()).isEqualTo(200);
        assertThat(
                        shop.visitor
                                .get(
                                        page,
                                        "Cookie: session="
                                                + token
                                                + ("; session=" + token).repeat(300))
                                .hit())
                .isTrue();
        // One view of one visitor; a token that nobody has begins nothing.
        await().until(() -> shop.hub.get("/shop/sessions/" + token + "/views").json().size() == 1);
        assertThat(shop.hub.get("/shop/sessions/stats").json().get("count").asInt()).isOne();
        assertThat(shop.visitor.get(page, "Cookie: " + many.repeat(10)).status()).isEqualTo(431);
    }

    /** The value of one line of the hub's figures. */
    private String figure(String name) {
        return shop.hub
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("");
    }

    @Test
    void an_old_client_gets_an_answer_that_it_can_read() {
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n5\r\n more\r\n0\r\n\r\n"
                                    .getBytes(ISO_8859_1));
                    out.flush();
                    return true;
                });
        for (String host : List.of("", "Host: shop.example\r\n")) {
            Visitor.Reply reply = shop.visitor.raw("GET /a HTTP/1.0\r\n" + host + "\r\n", false);
            assertThat(reply.header("Transfer-Encoding")).isEmpty();
            assertThat(reply.text()).isEqualTo("half more");
        }
    }

    @Test
    void hints_of_an_application_come_before_its_answer() {
        for (String hint :
                List.of(
                        "HTTP/1.1 100 Continue\r\n\r\n",
                        "HTTP/1.1 102 Processing\r\n\r\n",
                        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")) {
            shop.application.answers(
                    (asked, out, socket) -> {
                        out.write(hint.getBytes(ISO_8859_1));
                        Application.send(out, "200 OK", "page");
                        return true;
                    });
            Visitor.Reply reply = shop.visitor.get(page());
            assertThat(reply.status()).as(hint).isEqualTo(200);
            assertThat(reply.text()).as(hint).isEqualTo("page");
            // Nor is the answer that of the next request.
            shop.application.answers(Application.page("next"));
            assertThat(shop.visitor.get("/a").text()).as(hint).isEqualTo("next");
        }
    }

    @Test
    void an_application_that_talks_in_another_way_unasked_is_broken() {
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello"
                                    .getBytes(ISO_8859_1));
                    out.flush();
                    return true;
                });
        assertThat(shop.visitor.get("/a").status()).isEqualTo(502);
        assertThat(shop.visitor.get(page()).status()).isIn(502, 503);
        shop.application.answers(Application.page("next"));
        await().until(() -> shop.visitor.get("/a").text().equals("next"));
    }

    // ------------------------------------------------------------------ clients that go

    @Test
    void an_application_need_not_go_on_for_a_client_that_has_gone() throws Exception {
        try (Shopfront patient =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("x")),
                        "shop.proxy.answer-time-out=1h")) {
            CountDownLatch gone = new CountDownLatch(1);
            patient.application.answers(
                    (asked, out, socket) -> {
                        if (socket.getInputStream().read() < 0) {
                            gone.countDown();
                        }
                        return false;
                    });
            try (Socket socket = patient.visitor.open()) {
                socket.getOutputStream()
                        .write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
                await().until(() -> patient.application.count("/slow") == 1);
            }
            gone.await();
        }
    }

    @Test
    void what_a_client_that_has_gone_has_changed_is_changed() throws Exception {
        String page = page();
        shop.visitor.get(page);
        try (Shopfront patient =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("one")),
                        "shop.proxy.answer-time-out=1h")) {
            await().until(() -> patient.visitor.get(page).hit());
            CountDownLatch go = new CountDownLatch(1);
            patient.application.answers(
                    (asked, out, socket) -> {
                        if (asked.method().equals("POST")) {
                            go.await();
                        }
                        Application.send(out, "200 OK", "two");
                        return true;
                    });
            int before = patient.application.all.size();
            try (Socket socket = patient.visitor.open()) {
                socket.getOutputStream()
                        .write(
                                ("POST "
                                                + page
                                                + " HTTP/1.1\r\nHost: shop.example\r\n"
                                                + "Content-Length: 1\r\n\r\nx")
                                        .getBytes(ISO_8859_1));
                await().until(() -> patient.application.all.size() > before);
            }
            await().until(
                            () ->
                                    patient.hub
                                            .get("/metrics")
                                            .body()
                                            .contains(
                                                    "millrace_proxy_answers_total{status=\"4xx\"}"
                                                            + " 1.0"));
            go.countDown();
            await().until(() -> patient.visitor.get(page).text().equals("two"));
        }
    }

    // ------------------------------------------------------------------ applications

    @Test
    void an_application_that_says_nothing_is_not_waited_for() {
        CountDownLatch never = new CountDownLatch(1);
        shop.application.answers(
                (asked, out, socket) -> {
                    never.await();
                    return false;
                });
        Visitor.Reply reply = shop.visitor.get(page());
        assertThat(reply.status()).isEqualTo(504);
        assertThat(shop.visitor.send("POST", "/a", "x").status()).isEqualTo(504);
        never.countDown();
    }

    @Test
    void who_waits_for_a_slow_page_asks_himself_after_a_while() throws Exception {
        try (Shopfront impatient =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("x")),
                        "shop.pages.patience=200ms")) {
            String page = page();
            CountDownLatch go = new CountDownLatch(1);
            impatient.application.answers(
                    (asked, out, socket) -> {
                        go.await();
                        Application.send(out, "200 OK", "slow");
                        return true;
                    });
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Visitor.Reply> one = threads.submit(() -> impatient.visitor.get(page));
                Future<Visitor.Reply> two = threads.submit(() -> impatient.visitor.get(page));
                await().until(() -> impatient.application.count(page) == 2);
                go.countDown();
                assertThat(one.get().text()).isEqualTo("slow");
                assertThat(two.get().text()).isEqualTo("slow");
            }
        }
    }

    @Test
    void broken_answers_are_told_as_such() {
        for (String broken :
                List.of(
                        "",
                        "HELLO\r\n\r\n",
                        "HTTP/1.1 abc\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
                        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nhello",
                        "HTTP/1.1 200 OK\r\nX\0: 1\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nX: " + "x".repeat(100_000) + "\r\n\r\n")) {
            shop.application.answers(
                    (asked, out, socket) -> {
                        out.write(broken.getBytes(ISO_8859_1));
                        out.flush();
                        return false;
                    });
            Visitor.Reply reply = shop.visitor.send("POST", "/a", "x");
            assertThat(reply.status())
                    .as(broken.substring(0, Math.min(60, broken.length())))
                    .isIn(502, 503);
            // So that the next one is not refused because it gets a rest.
            shop.application.answers(Application.page("fine"));
            await().until(() -> shop.visitor.get("/a").text().equals("fine"));
        }
    }

    @Test
    void half_of_an_answer_does_not_look_like_all_of_it() {
        for (String half :
                List.of(
                        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")) {
            shop.application.answers(
                    (asked, out, socket) -> {
                        out.write(half.getBytes(ISO_8859_1));
                        out.flush();
                        return false;
                    });
            String page = page();
            Visitor.Reply reply = shop.visitor.get(page);
            assertThat(reply.status() == 502 || !reply.whole()).as(half).isTrue();
            shop.application.answers(Application.page("whole"));
            assertThat(shop.visitor.get(page).text()).isEqualTo("whole");
        }
    }

    @Test
    void an_answer_that_stalls_is_broken_off() {
        CountDownLatch never = new CountDownLatch(1);
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
                                    .getBytes(ISO_8859_1));
                    out.flush();
                    never.await();
                    return false;
                });
        assertThat(shop.visitor.get(page()).whole()).isFalse();
        never.countDown();
    }

    @Test
    void an_application_that_comes_back_is_asked_again() {
        int port = TestPorts.take();
        try (Shopfront away =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(Application.page("x")),
                        "shop.proxy.upstream=http://127.0.0.1:" + port)) {
            for (int i = 0; i < 5; i++) {
                assertThat(away.visitor.get("/a").status()).isIn(502, 503);
            }
            try (Application back = new Application(port, Application.page("back"))) {
                await().until(() -> away.visitor.get("/a").text().equals("back"));
                assertThat(back.count("/a")).isPositive();
            }
        }
    }

    @Test
    void of_several_applications_those_that_work_are_asked() {
        try (Application second = new Application(Application.page("second"));
                Shopfront two =
                        Shopfront.open(
                                SharedServers.standalone().url(),
                                new Application(Application.page("first")),
                                "shop.proxy.upstream="
                                        + shop.application.url()
                                        + ","
                                        + second.url())) {
            // One that hangs up without a word, and one that is not there.
            shop.application.answers((asked, out, socket) -> false);
            for (int i = 0; i < 4; i++) {
                assertThat(two.visitor.get("/a").text()).isEqualTo("second");
            }
            assertThat(shop.application.count("/a")).isPositive();
            shop.application.close();
            for (int i = 0; i < 10; i++) {
                assertThat(two.visitor.get("/a").text()).isEqualTo("second");
            }
        }
    }

    @Test
    void redirects_are_the_clients_business() {
        String page = page();
        shop.application.answers(
                (asked, out, socket) -> {
                    Application.send(out, "302 Found", "", "Location: " + asked.target());
                    return true;
                });
        Visitor.Reply reply = shop.visitor.get(page);
        assertThat(reply.status()).isEqualTo(302);
        assertThat(reply.header("Location")).isEqualTo(page);
        assertThat(shop.application.count(page)).isOne();
    }

    // ------------------------------------------------------------------ WebSockets

    @Test
    void a_websocket_passes_through() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        shop.application.answers(
                (asked, out, socket) -> {
                    out.write(
                            ("HTTP/1.1 101 Switching Protocols\r\n"
                                            + "Upgrade: websocket\r\n"
                                            + "Connection: Upgrade\r\n"
                                            + "Sec-WebSocket-Accept: "
                                            + asked.header("Sec-WebSocket-Key").orElse("")
                                            + "\r\n\r\n")
                                    .getBytes(ISO_8859_1));
                    out.flush();
                    byte[] said = socket.getInputStream().readNBytes(4);
                    heard.complete(new String(said, ISO_8859_1));
                    out.write("pong".getBytes(ISO_8859_1));
                    out.flush();
                    return false;
                });
        try (Socket socket = shop.visitor.open()) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "GET /ws HTTP/1.1\r\nHost: shop.example\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Key: abc\r\nSec-WebSocket-Version: 13\r\n\r\n"
                            .getBytes(ISO_8859_1));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Visitor.Reply reply = Visitor.read(in, true);
            assertThat(reply.status()).isEqualTo(101);
            assertThat(reply.header("Sec-WebSocket-Accept")).isEqualTo("abc");
            assertThat(reply.header("Upgrade")).isEqualToIgnoringCase("websocket");
            out.write("ping".getBytes(ISO_8859_1));
            out.flush();
            assertThat(heard.get()).isEqualTo("ping");
            assertThat(in.readAllBytes()).isEqualTo("pong".getBytes(ISO_8859_1));
        }
    }

    @Test
    void a_websocket_that_is_refused_is_refused() {
        for (String status : List.of("403 No", "401 Who", "302 There")) {
            shop.application.answers(
                    (asked, out, socket) -> {
                        Application.send(
                                out,
                                status,
                                "no",
                                "Location: /login",
                                "WWW-Authenticate: Basic",
                                "X-Other: 1");
                        return false;
                    });
            Visitor.Reply reply =
                    shop.visitor.raw(
                            "GET /ws HTTP/1.1\r\n"
                                    + "Host: shop.example\r\n"
                                    + "Upgrade: websocket\r\n"
                                    + "Connection: Upgrade\r\n"
                                    + "Sec-WebSocket-Key: abc\r\n"
                                    + "Sec-WebSocket-Version: 13\r\n\r\n",
                            false);
            assertThat(reply.status()).isEqualTo(Integer.parseInt(status.substring(0, 3)));
            assertThat(reply.header("Location")).isEqualTo("/login");
            assertThat(reply.header("WWW-Authenticate")).isEqualTo("Basic");
            assertThat(reply.text()).contains("WebSocket");
        }
    }
}
