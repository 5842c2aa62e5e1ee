package dev.millrace.bench.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Visitors of a shop, and what they ask for. */
final class Requests {
    static final int VISITORS = 2000;
    private static final int ITEMS = 42;
    private static final int MOST_LOOKS = 300;
    private static final long LOOK_NANOS = 100_000_000;

    private Requests() {}

    /** Of the demo shop, the same from whomever. */
    private static final String PAGE = "/product?item=1";

    /** Makes it popular, and waits until it comes from the cache. */
    static void popular(Address hub, Address proxy) throws IOException, InterruptedException {
        HttpLoad.each(
                hub, List.of(json(hub, "PUT", session(0), "{\"user\":\"ada\",\"item\":\"1\"}")));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest page = HttpRequest.newBuilder(proxy.url(PAGE)).build();
            for (int i = 0; i < MOST_LOOKS; i++) {
                HttpResponse<Void> answer = client.send(page, BodyHandlers.discarding());
                if (answer.headers()
                        .firstValue("Cache-Status")
                        .filter(each -> each.contains("hit"))
                        .isPresent()) {
                    return;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        throw new IOException("The page never came from the cache.");
    }

    private static byte[] request(
            Address server, String method, String path, String headers, String body) {
        return "%s %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n%s"
                .formatted(method, path, server.host(), headers, body.length(), body)
                .getBytes(UTF_8);
    }

    private static byte[] json(Address server, String method, String path, String body) {
        return request(server, method, path, "Content-Type: application/json\r\n", body);
    }

    private static String session(int visitor) {
        return "/shop/sessions/token-of-visitor-" + visitor;
    }

    /** Makes everybody's session, and reads all rows once. */
    static void prepare(Address hub) throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            all.add(json(hub, "PUT", session(i), "{\"user\":\"ada\"}"));
        }
        for (int i = 1; i <= ITEMS - 2; i++) {
            all.add(request(hub, "GET", "/shop/rows/inv/" + i, "", ""));
        }
        HttpLoad.each(hub, all);
    }

    /** Logs everybody in at an application with sessions of its own; gives their cookies. */
    static List<String> logins(Address server) throws IOException, InterruptedException {
        List<String> cookies = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < VISITORS; i++) {
                HttpResponse<Void> response =
                        client.send(
                                HttpRequest.newBuilder(server.url("/login"))
                                        .POST(BodyPublishers.noBody())
                                        .build(),
                                BodyHandlers.discarding());
                String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
                cookies.add(cookie.substring(0, cookie.indexOf(';')));
            }
        }
        return cookies;
    }

    static List<byte[]> touches(Address server, List<String> cookies) {
        return cookies.stream()
                .map(cookie -> request(server, "GET", "/touch", "Cookie: " + cookie + "\r\n", ""))
                .toList();
    }

    /** One for each visitor. */
    static List<byte[]> of(Deed deed, Address hub) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            int item = 1 + i % (ITEMS - 2);
            all.add(
                    switch (deed) {
                        case TOUCH -> request(hub, "GET", session(i) + "?touch=true", "", "");
                        case VIEW ->
                                json(
                                        hub,
                                        "PUT",
                                        session(i),
                                        "{\"user\":\"ada\",\"item\":\"" + item + "\"}");
                        case CART ->
                                // Up and down, so that it never is full.
                                json(
                                        hub,
                                        "POST",
                                        "/shop/carts/token-of-visitor-"
                                                + i / 2
                                                + "/items/"
                                                + item / 2,
                                        i % 2 == 0 ? "{\"add\":1}" : "{\"add\":-1}");
                        case ROW -> request(hub, "GET", "/shop/rows/inv/" + item, "", "");
                        case PAGE, PAGE_NGINX, PAGE_APPLICATION -> hub.get(PAGE);
                        case TOUCH_PLAIN, TOUCH_INDEXED ->
                                throw new IllegalArgumentException(deed.about());
                    });
        }
        return all;
    }
}
