package dev.millrace.hub.telemetry.channels;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CONFIGURED;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.work.Beat;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.UndecodableException;
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

/**
 * The configurations of all channels, in memory: every write goes by them. Another hub's change is
 * seen at once where Redis names the keys that are written, else within a second, by the number
 * that counts all changes; what somebody changes without counting, within a minute. Thread-safe.
 */
public final class ChannelBook implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ChannelBook.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Where what others write is heard of. */
    private static final Duration SELDOM = Duration.ofSeconds(5);

    private static final Duration ALL = Duration.ofMinutes(1);

    private static final int PAGE = 1000;

    private final Keyspace keyspace;
    private final Site site;
    private final Store<ChannelConfiguration> store;
    private final Bell bell = new Bell();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Map<Integer, ChannelConfiguration> all = Map.of();
    private volatile Runnable listener = () -> {};
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
    public static ChannelBook open(Keyspace keyspace, Site site) {
        ChannelBook book = new ChannelBook(keyspace, site);
        book.look(true);
        book.thread.start();
        return book;
    }

    /** Told of every change, briefly. */
    public void listener(Runnable told) {
        listener = told;
    }

    public Optional<ChannelConfiguration> get(int channel) {
        return Optional.ofNullable(all.get(channel));
    }

    /** In the order of their numbers. */
    public List<ChannelConfiguration> all() {
        return all.values().stream()
                .sorted((one, other) -> Integer.compare(one.id(), other.id()))
                .toList();
    }

    public int size() {
        return all.size();
    }

    /** This hub has changed one. */
    synchronized void changed(int channel, Optional<ChannelConfiguration> now) {
        Map<Integer, ChannelConfiguration> next = new ConcurrentHashMap<>(all);
        now.ifPresentOrElse(each -> next.put(channel, each), () -> next.remove(channel));
        all = next;
        listener.run();
    }

    /** Reads all of them now. */
    void reload() {
        load();
    }

    /** Somebody may have changed one: the next look is now. */
    public void look() {
        bell.ring();
    }

    private void run() {
        try {
            Duration pause = keyspace.redis().cluster() ? LOOK : SELDOM;
            long all = System.nanoTime();
            while (closed.getCount() > 0) {
                bell.await(Beat.within(pause));
                boolean late = System.nanoTime() - all > ALL.toNanos();
                look(late);
                all = late ? System.nanoTime() : all;
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
            for (ChannelConfiguration each : page.values()) {
                if (ChannelRules.mistake(each).isEmpty()) {
                    next.put(each.id(), each);
                }
            }
            from = page.next();
        } while (from.isPresent());
        all.forEach(
                (id, known) -> {
                    if (!next.containsKey(id) && isSpoilt(id)) {
                        next.put(id, known);
                    }
                });
        all = next;
        listener.run();
    }

    /** Whether something stands there that cannot be one: then the one before it goes on. */
    private boolean isSpoilt(int id) {
        try {
            return store.get(Integer.toString(id)).isPresent();
        } catch (UndecodableException e) {
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
