package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Subscription;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What other hubs do to pages. News can be lost with a connection: so who waits looks by himself
 * now and then, and copies of the time before are not believed after a break. Thread-safe.
 */
final class PageNews implements AutoCloseable, Subscription.Listener {
    private static final Duration LOOK = Duration.ofMillis(250);

    private final String hub;
    private final Near near;
    private final Map<String, Set<CountDownLatch>> waiting = new ConcurrentHashMap<>();
    private final Subscription subscription;

    PageNews(Redis redis, Near near, String hub) {
        this.hub = hub;
        this.near = near;
        this.subscription = redis.subscribe(List.of(PageStore.CHANNEL), this);
    }

    /** Whether it hears anything. */
    boolean hears() {
        return subscription.connected();
    }

    /** Somebody who wants to know what becomes of a page; from now on he misses nothing. */
    final class Waiting implements AutoCloseable {
        private final String hash;
        private final CountDownLatch news = new CountDownLatch(1);

        private Waiting(String hash) {
            this.hash = hash;
            waiting.computeIfAbsent(hash, name -> ConcurrentHashMap.newKeySet()).add(news);
        }

        /** Until there is news, or it is time to look all the same. */
        void await(long nanos) throws InterruptedException {
            boolean _ = news.await(Math.min(nanos, LOOK.toNanos()), TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            waiting.computeIfPresent(
                    hash,
                    (name, all) -> {
                        all.remove(news);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    Waiting waiting(String hash) {
        return new Waiting(hash);
    }

    @Override
    public void message(String channel, byte[] body) {
        String[] words = new String(body, UTF_8).split(" ", 2);
        if (words.length < 2) {
            return;
        }
        switch (words[0]) {
            case "purge" -> near.purge(words[1]);
            case "have" -> have(words[1]);
            case "free" -> wake(words[1]);
            default -> {
                // Of a hub that is newer than this one.
            }
        }
    }

    private void have(String hashAndHub) {
        int blank = hashAndHub.indexOf(' ');
        if (blank < 0) {
            return;
        }
        String hash = hashAndHub.substring(0, blank);
        if (!hashAndHub.startsWith(hub, blank + 1)) {
            near.drop(hash);
        }
        wake(hash);
    }

    private void wake(String hash) {
        waiting.getOrDefault(hash, Set.of()).forEach(CountDownLatch::countDown);
    }

    @Override
    public void listening(String channel) {
        near.purge(Groups.ALL);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
