package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.TelemetryLayouts.CONFIGURED;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The configurations of all channels, in memory: every write goes by them. Another hub's change is
 * seen within a second, by the number that counts all changes; what somebody changes without
 * counting, within a minute. Thread-safe.
 */
final class ChannelBook implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ChannelBook.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_UNTIL_ALL = 60;

    private static final int PAGE = 1000;

    private final Keyspace keyspace;
    private final Site site;
    private final Store<ChannelConfiguration> store;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Map<Integer, ChannelConfiguration> all = Map.of();
    private String version = "";
    private boolean troubled;
    private final Thread thread;

    private ChannelBook(Keyspace keyspace, Site site) {
        this.keyspace = keyspace;
        this.site = site;
        this.store = keyspace.store(CHANNELS);
        this.thread = Thread.ofVirtual().name("telemetry-book").unstarted(this::run);
    }

    /** Reads all, and keeps them true from now on. */
    static ChannelBook open(Keyspace keyspace, Site site) {
        ChannelBook book = new ChannelBook(keyspace, site);
        book.look(true);
        book.thread.start();
        return book;
    }

    Optional<ChannelConfiguration> get(int channel) {
        return Optional.ofNullable(all.get(channel));
    }

    /** In the order of their numbers. */
    List<ChannelConfiguration> all() {
        return all.values().stream()
                .sorted((one, other) -> Integer.compare(one.id(), other.id()))
                .toList();
    }

    int size() {
        return all.size();
    }

    /** This hub has changed one. */
    synchronized void changed(int channel, Optional<ChannelConfiguration> now) {
        Map<Integer, ChannelConfiguration> next = new ConcurrentHashMap<>(all);
        now.ifPresentOrElse(each -> next.put(channel, each), () -> next.remove(channel));
        all = next;
    }

    /** Reads all of them now. */
    void reload() {
        load();
    }

    private void run() {
        try {
            for (int looks = 1; !closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS); looks++) {
                look(looks % LOOKS_UNTIL_ALL == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(boolean always) {
        try {
            String now = site.version(keyspace).stored();
            if (always || !now.equals(version)) {
                load();
                version = now;
            }
            troubled = false;
        } catch (RedisException e) {
            if (!troubled) {
                log.warn("Configurations of channels cannot be read. reason={}", e.getMessage());
            }
            troubled = true;
        }
    }

    /** What was changed here while it was read is read by the next look: that has counted too. */
    private synchronized void load() {
        Map<Integer, ChannelConfiguration> next = new HashMap<>();
        Optional<Cursor> from = Optional.empty();
        do {
            Query<ChannelConfiguration> query = store.query(CONFIGURED).limit(PAGE);
            from.ifPresent(query::after);
            Page<ChannelConfiguration> page = query.page();
            page.values().forEach(each -> next.put(each.id(), each));
            from = page.next();
        } while (from.isPresent());
        all = next;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
