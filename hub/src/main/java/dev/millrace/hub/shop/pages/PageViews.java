package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Asked;
import dev.millrace.hub.shop.visits.Names;
import dev.millrace.hub.shop.visits.Visits;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Counter;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Notes who looked at what, after he was answered: nobody waits for that. The views of one visitor
 * stay in their order. If more come than Redis takes, some are not noted. Thread-safe.
 */
final class PageViews implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PageViews.class);
    private static final Seldom FAILURES = new Seldom();
    private static final int LINES = 16;
    private static final int MOST_WAITING = 1024;

    private final Visits visits;
    private final Counter noted;
    private final Counter dropped;
    private final List<BlockingQueue<View>> lines = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private record View(String token, String item) {}

    PageViews(Visits visits, Counter noted, Counter dropped) {
        this.visits = visits;
        this.noted = noted;
        this.dropped = dropped;
        for (int i = 0; i < LINES; i++) {
            BlockingQueue<View> line = new ArrayBlockingQueue<>(MOST_WAITING);
            lines.add(line);
            threads.add(Thread.ofVirtual().name("page-views-" + i).start(() -> work(line)));
        }
    }

    /** Somebody gets the page of an item. */
    void seen(Asked asked, String item) {
        String token = token(asked.header("Cookie"), visits.cookie());
        if (token != null
                && asked.method().equals("GET")
                && !lines.get(Math.floorMod(token.hashCode(), LINES))
                        .offer(new View(token, item))) {
            dropped.increment();
        }
    }

    /** The value of a cookie, if it could be a token. */
    static @Nullable String token(@Nullable String cookies, String name) {
        if (cookies == null) {
            return null;
        }
        int at = 0;
        while (at < cookies.length()) {
            int end = cookies.indexOf(';', at);
            String one = cookies.substring(at, end < 0 ? cookies.length() : end).strip();
            if (one.length() > name.length()
                    && one.startsWith(name)
                    && one.charAt(name.length()) == '=') {
                String value = one.substring(name.length() + 1);
                return Names.isToken(value) ? value : null;
            }
            at = end < 0 ? cookies.length() : end + 1;
        }
        return null;
    }

    private void work(BlockingQueue<View> line) {
        try {
            while (true) {
                View view = line.take();
                try {
                    if (visits.view(view.token, view.item)) {
                        noted.increment();
                    }
                } catch (RedisException | java.util.concurrent.CompletionException e) {
                    dropped.increment();
                    FAILURES.say(
                            before ->
                                    log.warn(
                                            "A view was not noted. reason={} before={}",
                                            e.getMessage(),
                                            before));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
