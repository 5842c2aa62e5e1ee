package dev.millrace.hub.cli.demo;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * People in the demo's web shop: they look at items, some of them at the same few, put one into
 * their carts now and then, and never pay. They come to the shop's pages through the cache, as
 * browsers do. On one thread.
 */
final class Shoppers {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String[] NAMES = {"ada", "ben", "cleo", "dan", "eva", ""};

    /** The first ones more often than the last ones. */
    private static final String[] ITEMS = {
        "273", "273", "273", "237", "237", "1", "2", "3", "5", "8", "13", "21", "34"
    };

    private static final int TURNS_PER_ITEM = 4;
    private static final int TURNS_PER_CART = 60;
    private static final int FIRST_FAILURE = 400;

    private static final Logger log = LoggerFactory.getLogger(Shoppers.class);

    private final URI hub;
    private final HttpClient client;
    private @Nullable URI pages;

    Shoppers(URI hub, HttpClient client) {
        this.hub = hub;
        this.client = client;
    }

    /** Each of them does one thing. */
    void come(long turn) throws InterruptedException {
        for (int i = 0; i < NAMES.length; i++) {
            String token = "visitor-%d-of-the-demo".formatted(i);
            String item = ITEMS[(int) ((turn * (2 * i + 1) + i) % ITEMS.length)];
            if (turn % TURNS_PER_ITEM == 0) {
                must(
                        send(
                                to("/shop/sessions/" + token)
                                        .PUT(
                                                BodyPublishers.ofString(
                                                        "{\"user\":\"%s\"}".formatted(NAMES[i])))));
            }
            look(token, item);
            if (turn % TURNS_PER_CART == TURNS_PER_CART - 1) {
                must(send(to("/shop/carts/" + token).DELETE()));
            } else if ((turn + i) % TURNS_PER_ITEM == 0) {
                must(
                        send(
                                to("/shop/carts/%s/items/%s".formatted(token, item))
                                        .POST(BodyPublishers.ofString("{\"add\":1}"))));
            }
        }
    }

    private void look(String token, String item) throws InterruptedException {
        if (pages == null) {
            pages = pages();
        }
        URI shop = pages;
        if (shop != null) {
            must(
                    send(
                            HttpRequest.newBuilder(shop.resolve("/product?item=" + item))
                                    .header("Cookie", "session=" + token)));
        }
    }

    /** Where they are served; nowhere if somebody has switched the shop's pages off. */
    private @Nullable URI pages() throws InterruptedException {
        try {
            JsonNode address =
                    Json.MAPPER.readTree(send(to("/shop/cache/stats")).body()).path("address");
            return address.isString() ? URI.create(address.asString()) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(hub.resolve(path)).header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void must(HttpResponse<String> answer) {
        if (answer.statusCode() >= FIRST_FAILURE) {
            log.warn(
                    "The demo lacks something. method={} uri={} status={} answer={}",
                    answer.request().method(),
                    answer.uri(),
                    answer.statusCode(),
                    answer.body());
        }
    }
}
