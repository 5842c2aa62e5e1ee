package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Talk;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Questions that are answered again every ten seconds, with what is new, until the client says stop
 * or goes. One with an end of its own is answered once. Each has a thread of its own, which waits
 * for a client that does not read. Thread-safe.
 */
final class Streams {
    private static final Logger log = LoggerFactory.getLogger(Streams.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** Of one client. */
    private static final int MOST = 100;

    /** Windows that may have got samples since they were told are told again. */
    private static final int AGAIN = 2;

    private final TimeseriesQueries queries;
    private final CountDownLatch closed = new CountDownLatch(1);

    Streams(TimeseriesQueries queries) {
        this.queries = queries;
    }

    void close() {
        closed.countDown();
    }

    void begin(Talk talk) {
        Client client = new Client(talk);
        talk.whileThere(() -> talk.whenHeard(client::heard), client::stopAll);
    }

    private final class Client {
        private final Talk talk;
        private final Map<String, Stream> streams = new ConcurrentHashMap<>();

        Client(Talk talk) {
            this.talk = talk;
        }

        void heard(String text) {
            try {
                JsonNode said = Json.MAPPER.readTree(text);
                String id = said.path("id").asString("");
                String command = said.path("command").asString("");
                JsonNode query = said.path("query");
                if (id.isEmpty() || !said.isObject()) {
                    error("InvalidCommand", "A command is an object with an id.", text);
                    return;
                }
                switch (command) {
                    case "ranges" -> start(id, new Stream(this, id, query, true), query);
                    case "metrics" -> start(id, new Stream(this, id, query, false), query);
                    case "stop" -> stop(id);
                    default ->
                            error(
                                    "InvalidCommand",
                                    "A command is ranges, metrics or stop, not '%s'."
                                            .formatted(command),
                                    text);
                }
            } catch (JacksonException e) {
                error("InvalidCommand", "This is not JSON.", text);
            } catch (IllegalArgumentException e) {
                error("InvalidQuery", String.valueOf(e.getMessage()), text);
            }
        }

        private void start(String id, Stream stream, JsonNode query) {
            // What is wrong is told at once, and the old stream goes on.
            TimeseriesQueries.named(query);
            if (stream.ranges) {
                queries.frame(query);
            }
            if (streams.size() >= MOST && !streams.containsKey(id)) {
                error("TooMany", "A client has at most %d streams.".formatted(MOST), id);
                return;
            }
            Stream before = streams.put(id, stream);
            if (before != null) {
                before.stop();
            }
            Thread.ofVirtual().name("timeseries-stream").start(stream::run);
        }

        private void stop(String id) {
            Stream before = streams.remove(id);
            if (before != null) {
                before.stop();
            }
        }

        void ended(String id, Stream stream) {
            streams.remove(id, stream);
        }

        void stopAll() {
            streams.values().forEach(Stream::stop);
            streams.clear();
        }

        void error(String error, String message, String about) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("error", error);
            said.put("message", message);
            said.put("request", about.length() > 1000 ? about.substring(0, 1000) : about);
            say(said);
        }

        void say(Object value) {
            if (!talk.isOver()) {
                String text = new String(Json.write(value), StandardCharsets.UTF_8);
                talk.loop().execute(() -> say(text));
            }
        }

        private void say(String text) {
            if (!talk.isOver()) {
                talk.say(text);
            }
        }
    }

    /** One question that is answered again and again. */
    private final class Stream {
        private final Client client;
        private final String id;
        private final JsonNode query;
        private final boolean ranges;
        private final CountDownLatch stopped = new CountDownLatch(1);

        Stream(Client client, String id, JsonNode query, boolean ranges) {
            this.client = client;
            this.id = id;
            this.query = query;
            this.ranges = ranges;
        }

        void stop() {
            stopped.countDown();
        }

        void run() {
            try {
                boolean more = ranges ? tellRanges() : tellMetrics();
                while (more && !isOver()) {
                    more = ranges ? tellRanges() : tellMetrics();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.warn("A stream of time series ended. reason={}", e.toString());
            } finally {
                client.ended(id, this);
            }
        }

        private boolean isOver() {
            return stopped.getCount() == 0 || closed.getCount() == 0 || client.talk.isOver();
        }

        private boolean pause() throws InterruptedException {
            long end = System.nanoTime() + PAUSE.toNanos();
            while (System.nanoTime() < end || isFull()) {
                if (closed.getCount() == 0 || stopped.await(250, TimeUnit.MILLISECONDS)) {
                    return false;
                }
                if (client.talk.isOver()) {
                    return false;
                }
            }
            return true;
        }

        private boolean isFull() {
            return client.talk.full();
        }

        private boolean tellMetrics() throws InterruptedException {
            tell(() -> Map.of("metrics", queries.metrics(query)));
            return pause();
        }

        private boolean tellRanges() throws InterruptedException {
            Map<String, SeriesName> names = TimeseriesQueries.named(query);
            TimeFrame frame = queries.frame(query);
            long step = frame.step();
            tell(() -> data(true, queries.ranges(names, frame, step)));
            long told = frame.to();
            while (frame.open() && pause()) {
                long now = queries.now();
                long from = told / step * step - (AGAIN - 1) * step;
                TimeFrame news = new TimeFrame(Math.max(from, frame.from()), now, true);
                tell(() -> data(false, queries.ranges(names, news, step)));
                told = now;
            }
            return false;
        }

        private Map<String, Object> data(boolean initial, List<Map<String, Object>> found) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("initial", initial);
            data.put("ranges", found);
            return data;
        }

        private void tell(Supplier<Map<String, Object>> data) {
            try {
                Map<String, Object> said = new LinkedHashMap<>();
                said.put("id", id);
                said.put("data", data.get());
                client.say(said);
            } catch (RedisException e) {
                client.error("Unavailable", "Redis does not answer just now.", id);
            } catch (RefusedException e) {
                client.error("InvalidQuery", e.why().message(), id);
            }
        }
    }
}
