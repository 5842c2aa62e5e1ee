package dev.millrace.hub.shop.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.http.PathText;
import dev.millrace.hub.shop.carts.Carts;
import dev.millrace.hub.shop.visits.Names;
import dev.millrace.hub.shop.visits.Visits;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Lists items, shows one on a page of its own, and keeps a cart for each visitor, all with the
 * sessions, carts and rows of the hub. It listens on this machine only. Its pages say what an
 * honest application says: those of items may be kept, carts are private.
 */
public final class DemoShop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DemoShop.class);
    private static final int MOST_BODY = 4096;
    private static final List<String> ITEMS =
            IntStream.concat(IntStream.rangeClosed(1, 40), IntStream.of(237, 273))
                    .mapToObj(Integer::toString)
                    .toList();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Visits visits;
    private final Carts carts;
    private final Function<Collection<String>, Map<String, ObjectNode>> goods;

    private DemoShop(
            HttpServer server,
            Visits visits,
            Carts carts,
            Function<Collection<String>, Map<String, ObjectNode>> goods) {
        this.server = server;
        this.visits = visits;
        this.carts = carts;
        this.goods = goods;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Opens it.
     *
     * @param port 0 for a free one
     * @param goods what is known of items
     */
    public static DemoShop open(
            int port,
            Visits visits,
            Carts carts,
            Function<Collection<String>, Map<String, ObjectNode>> goods) {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
            DemoShop shop = new DemoShop(server, visits, carts, goods);
            log.info("The demo shop is at {}.", shop.url());
            return shop;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The demo shop cannot listen on port %d; set another shop.demo-port."
                            .formatted(port),
                    e);
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    // ------------------------------------------------------------------ requests

    private void answer(HttpExchange exchange) {
        try (exchange) {
            try {
                Reply reply = reply(exchange);
                reply.headers.forEach(
                        (name, value) -> exchange.getResponseHeaders().add(name, value));
                byte[] body = reply.body.getBytes(UTF_8);
                boolean head = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(
                        reply.status, head || body.length == 0 ? -1 : body.length);
                if (!head) {
                    exchange.getResponseBody().write(body);
                }
            } catch (RuntimeException e) {
                log.warn("The demo shop failed. reason={}", e.toString());
                exchange.sendResponseHeaders(503, -1);
            }
        } catch (IOException e) {
            log.debug("A client of the demo shop has gone. reason={}", e.toString());
        }
    }

    private record Reply(int status, Map<String, String> headers, String body) {
        static Reply page(String cache, String title, String content) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", "text/html; charset=utf-8");
            headers.put("Cache-Control", cache);
            return new Reply(200, headers, html(title, content));
        }

        static Reply to(String location) {
            return new Reply(303, new LinkedHashMap<>(Map.of("Location", location)), "");
        }

        Reply with(String name, String value) {
            headers.put(name, value);
            return this;
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean writes = exchange.getRequestMethod().equals("POST");
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        Map<String, String> sent =
                writes
                        ? form(new String(exchange.getRequestBody().readNBytes(MOST_BODY), UTF_8))
                        : Map.of();
        return switch (path) {
            case "/" -> home();
            case "/product" -> product(query.getOrDefault("item", ""));
            case "/cart" -> writes ? add(exchange, sent) : cart(token(exchange));
            case "/login" -> writes ? login(sent.getOrDefault("user", "")) : Reply.to("/");
            case "/health" -> Reply.page("no-store", "Health", "<p>well</p>");
            default -> missing();
        };
    }

    private static Reply missing() {
        return new Reply(
                404,
                new LinkedHashMap<>(Map.of("Content-Type", "text/html; charset=utf-8")),
                html("Nothing here", "<p>There is no such page. <a href=\"/\">All items</a></p>"));
    }

    private Reply home() {
        StringBuilder list = new StringBuilder();
        Map<String, ObjectNode> rows = goods.apply(ITEMS);
        for (String item : ITEMS) {
            if (rows.containsKey(item)) {
                list.append(
                        "<li><a href=\"/product?item=%s\">%s</a></li>"
                                .formatted(item, text(rows.get(item), "name")));
            }
        }
        return Reply.page(
                "public, max-age=60",
                "A small shop",
                """
                <form method="post" action="/login"><input name="user" placeholder="your name" required>
                <button>Sign in</button></form>
                <ul>%s</ul>\
                """
                        .formatted(list));
    }

    /** It says nothing about how long it may be kept: that is the cache's to decide. */
    private Reply product(String item) {
        ObjectNode row = Names.isItem(item) ? goods.apply(List.of(item)).get(item) : null;
        if (row == null) {
            return missing();
        }
        Reply page =
                Reply.page(
                        "public",
                        text(row, "name"),
                        """
                        <p>%s</p><p><b class="price">%s</b>, <span class="stock">%s</span> in stock</p>
                        <form method="post" action="/cart"><input type="hidden" name="item" value="%s">
                        <button>Put into the cart</button></form>\
                        """
                                .formatted(
                                        text(row, "description"),
                                        text(row, "price"),
                                        text(row, "qty"),
                                        escaped(item)));
        return page.with("Surrogate-Key", "catalog")
                .with("ETag", "\"%08x\"".formatted(page.body.hashCode()));
    }

    private Reply cart(Optional<String> token) {
        Map<String, Long> items = token.map(carts::items).orElse(Map.of());
        Map<String, ObjectNode> rows = goods.apply(items.keySet());
        StringBuilder lines = new StringBuilder();
        items.forEach(
                (item, quantity) ->
                        lines.append(
                                "<li>%d × %s</li>"
                                        .formatted(
                                                quantity,
                                                rows.containsKey(item)
                                                        ? text(rows.get(item), "name")
                                                        : escaped(item))));
        String whose = token.flatMap(visits::user).filter(user -> !user.isEmpty()).orElse("You");
        return Reply.page(
                "private, no-store",
                "Cart",
                "<p>%s</p><ul>%s</ul>"
                        .formatted(
                                escaped(whose) + (items.isEmpty() ? ": nothing yet" : ":"), lines));
    }

    private Reply add(HttpExchange exchange, Map<String, String> sent) {
        String item = sent.getOrDefault("item", "");
        if (!Names.isItem(item) || !goods.apply(List.of(item)).containsKey(item)) {
            return missing();
        }
        Optional<String> known = token(exchange);
        String token = known.orElseGet(() -> visits.begin(""));
        boolean _ = carts.add(token, item, 1);
        return known.isPresent() ? Reply.to("/cart") : cookie(Reply.to("/cart"), token);
    }

    private Reply login(String user) {
        return Names.isItem(user) ? cookie(Reply.to("/"), visits.begin(user)) : Reply.to("/");
    }

    private Reply cookie(Reply reply, String token) {
        return reply.with(
                "Set-Cookie",
                "%s=%s; Path=/; HttpOnly; SameSite=Lax".formatted(visits.cookie(), token));
    }

    /** Of a visitor who has a session. */
    private Optional<String> token(HttpExchange exchange) {
        List<String> cookies = exchange.getRequestHeaders().getOrDefault("Cookie", List.of());
        String name = visits.cookie() + "=";
        return cookies.stream()
                .flatMap(each -> List.of(each.split(";", -1)).stream())
                .map(String::strip)
                .filter(each -> each.startsWith(name))
                .map(each -> each.substring(name.length()))
                .filter(each -> visits.user(each).isPresent())
                .findFirst();
    }

    // ------------------------------------------------------------------ words

    private static Map<String, String> form(@Nullable String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (text != null) {
            for (String pair : text.split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = PathText.decode(equals < 0 ? pair : pair.substring(0, equals), true);
                String value = equals < 0 ? "" : PathText.decode(pair.substring(equals + 1), true);
                if (name != null && value != null) {
                    fields.putIfAbsent(name, value);
                }
            }
        }
        return fields;
    }

    private static String text(@Nullable ObjectNode row, String column) {
        return row == null || row.get(column) == null ? "" : escaped(row.get(column).asString());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String html(String title, String content) {
        return """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>%s</title>
        <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
        <style>body{font:1rem system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
        <nav><a href="/">Items</a> · <a href="/cart">Cart</a></nav><h1>%s</h1>%s
        """
                .formatted(title, title, content);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
