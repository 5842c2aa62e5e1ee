package dev.millrace.hub.cli.demo;

import dev.millrace.hub.http.Json;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A plant, a brewery and a web shop in a hub, by the calls that anybody could type. What is there
 * already stays as it is, so a demo that starts again goes on with what somebody has changed in it.
 * Values move by themselves: the channels are virtual. Messages and documents come from here.
 */
public final class Demo implements AutoCloseable {
    private static final String CONTENT = "demo.json";
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONFLICT = 409;
    private static final int FIRST_FAILURE = 400;

    private static final String[] STEPS = {
        "mash in",
        "protein rest",
        "saccharification",
        "lauter",
        "boil",
        "whirlpool",
        "cool",
        "pitch"
    };

    private static final Logger log = LoggerFactory.getLogger(Demo.class);

    private final URI hub;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Shoppers shoppers;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread life;

    private Demo(URI hub) {
        this.hub = hub;
        this.shoppers = new Shoppers(hub, client);
        this.life = Thread.ofVirtual().name("demo").unstarted(this::live);
    }

    /** Brings it into a hub that has just started. */
    public static Demo at(URI hub) {
        Demo demo = new Demo(hub);
        demo.life.start();
        return demo;
    }

    private void live() {
        try {
            furnish();
            log.info(
                    "The demo is running. Look at {}ui/channels, {}ui/alarms, {}ui/values and"
                            + " {}ui/shop.",
                    hub.resolve("/"),
                    hub.resolve("/"),
                    hub.resolve("/"),
                    hub.resolve("/"));
            for (long turn = 0; !closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS); turn++) {
                brew(turn);
                shoppers.come(turn);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            if (closed.getCount() > 0) {
                log.warn("The demo cannot reach its hub any more. reason={}", e.getMessage());
            }
        }
    }

    private void furnish() throws InterruptedException {
        JsonNode calls;
        try (InputStream in = Demo.class.getResourceAsStream(CONTENT)) {
            calls = Json.MAPPER.readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (JsonNode call : calls) {
            JsonNode once = call.path("unless");
            if (once.isMissingNode() || send("GET", once.asString(), "").statusCode() != 200) {
                mustSend(
                        call.path("method").asString(),
                        call.path("path").asString(),
                        call.path("body").isMissingNode() ? "" : call.path("body").toString());
            }
        }
    }

    /** The brewery goes on: a line in its logbook, and what is in the kettle. */
    private void brew(long turn) throws InterruptedException {
        String step = STEPS[(int) (turn % STEPS.length)];
        long batch = 100 + turn / STEPS.length;
        Instant now = Instant.now();
        mustSend(
                "PUT",
                "/channel/logbook/message/batch-%d-%s-%d"
                        .formatted(batch, step.replace(' ', '-'), now.getEpochSecond()),
                """
                {"batch":%d,"step":"%s","at":"%s"}\
                """
                        .formatted(batch, step, now));
        mustSend(
                "POST",
                "/history/datastore/set",
                """
                {"value":{"namespace":"brewery","id":"kettle","batch":%d,"step":"%s","since":"%s"}}\
                """
                        .formatted(batch, step, now));
        if (turn % STEPS.length == 0) {
            mustSend(
                    "POST",
                    "/history/datastore/set",
                    """
                    {"value":{"namespace":"brewery","id":"plan","running":%d,"next":[%d,%d]}}\
                    """
                            .formatted(batch, batch + 1, batch + 2));
        }
    }

    private void mustSend(String method, String path, String body) throws InterruptedException {
        HttpResponse<String> answer = send(method, path, body);
        if (answer.statusCode() >= FIRST_FAILURE && answer.statusCode() != CONFLICT) {
            log.warn(
                    "The demo lacks something. method={} path={} status={} answer={}",
                    method,
                    path,
                    answer.statusCode(),
                    answer.body());
        }
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(hub.resolve(path))
                        .timeout(PATIENCE)
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        life.interrupt();
        client.shutdownNow();
    }
}
