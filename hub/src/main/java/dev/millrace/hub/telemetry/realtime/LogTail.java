package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * The end of the numbered lists of one source, followed for all clients of this hub. What was told
 * last is known for each list, so whoever comes in between is told the rest of it once.
 * Thread-safe.
 */
final class LogTail implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogTail.class);
    private static final int PAGE = 64;
    private static final int ALL = Integer.MAX_VALUE;

    private final Announcements source;
    private final Keyspace keyspace;
    private final Telling telling;
    private final Reading reading;
    private final AtomicInteger listeners = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    /** By list: the number that was told last; guarded by the lock. */
    private final Map<Place, Long> told = new HashMap<>();

    /** Whether it is known where all lists stood; guarded by the lock. */
    private boolean positioned;

    /**
     * A list.
     *
     * @param shard 0 on a single server
     */
    record Place(String name, int shard) {
        /** As clients name it. */
        String text(boolean cluster) {
            return cluster ? name + "@" + shard : name;
        }
    }

    /**
     * An element of a list; what is not for clients has its number all the same.
     *
     * @param log the list, as clients name it
     */
    record Listed(String log, long number, Optional<Announcement> announcement) {}

    /** Who passes it on to clients. */
    interface Telling {
        void told(Announcements source, List<Listed> news);

        /** So many were dropped from a list before they could be told. */
        void missed(Announcements source, long count);
    }

    LogTail(Keyspace keyspace, Announcements source, Telling telling) {
        this.keyspace = keyspace;
        this.source = source;
        this.telling = telling;
        this.reading =
                new Reading(
                        keyspace.feed(source.topic()),
                        () -> listeners.get() > 0,
                        new Reading.Hearer() {
                            @Override
                            public void heard(Changes.Facts facts) {
                                Map<String, Integer> homes = new LinkedHashMap<>();
                                for (Fact fact : facts.facts()) {
                                    source.home(fact)
                                            .ifPresent(home -> homes.merge(home, 1, Integer::sum));
                                }
                                homes.forEach(LogTail.this::follow);
                            }

                            @Override
                            public void lost(String why) {
                                source.homes().forEach(home -> follow(home, 0));
                            }
                        });
    }

    Announcements source() {
        return source;
    }

    // ------------------------------------------------------------------ following

    /** A list may have grown; one that nobody knew has, by as many elements as there were facts. */
    private void follow(String home, int facts) {
        lock.lock();
        try {
            if (positioned) {
                source.logs(home).forEach((name, key) -> follow(place(name, home), key, facts));
            }
        } finally {
            lock.unlock();
        }
    }

    private void follow(Place place, Cell.Key key, int facts) {
        Long before = told.get(place);
        List<Listed> news =
                before == null ? after(place, key, 0, facts) : after(place, key, before, ALL);
        if (news.isEmpty()) {
            return;
        }
        long first = news.getFirst().number();
        told.put(place, news.getLast().number());
        if (before != null && first > before + 1) {
            telling.missed(source, first - before - 1);
        }
        telling.told(source, news);
    }

    private Place place(String name, String home) {
        return new Place(name, keyspace.shard(home));
    }

    /**
     * The elements with greater numbers, oldest first; at most so many of the newest. Where numbers
     * have begun anew, all of them.
     */
    private List<Listed> after(Place place, Cell.Key key, long number, int most) {
        List<Listed> found = new ArrayList<>();
        String name = place.text(inCluster());
        long newest = -1;
        int count = PAGE;
        for (long from = 0; count == PAGE; from += PAGE) {
            List<String> page =
                    keyspace.cells().list(key, from, from + PAGE - 1).answer().or(List.of());
            count = page.size();
            for (String text : page) {
                ObjectNode element = object(text);
                long each = element.path("seq").asLong(-1);
                newest = Math.max(newest, each);
                if (found.size() >= most || (each >= 0 && each <= number && newest >= number)) {
                    return found.reversed();
                }
                if (each >= 0) {
                    found.add(new Listed(name, each, source.read(place.name(), element)));
                }
            }
        }
        return found.reversed();
    }

    private static ObjectNode object(String text) {
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            log.trace("A list has something that is not one of its elements. text={}", text);
        }
        return Json.MAPPER.createObjectNode();
    }

    private long newest(Cell.Key key) {
        for (String text : keyspace.cells().list(key, 0, PAGE - 1).answer().or(List.of())) {
            long number = object(text).path("seq").asLong(-1);
            if (number >= 0) {
                return number;
            }
        }
        return 0;
    }

    // ------------------------------------------------------------------ being listened to

    /**
     * What a client is told that comes back.
     *
     * @param missed how many were dropped from the list since
     */
    record Since(List<Listed> listed, long missed) {}

    /** What is done with it, before anything newer is told. */
    interface Beginning {
        void at(Since since);
    }

    /**
     * Somebody listens from now on, until {@link #letGo}.
     *
     * @param since the number that the client has seen last, by list; empty to begin with what
     *     comes
     * @throws RedisException if the lists cannot be read; then nobody listens
     */
    void listen(Map<String, Long> since, Beginning step) {
        listeners.incrementAndGet();
        try {
            reading.begin();
            lock.lock();
            try {
                if (!positioned) {
                    everyLog((place, key) -> told.put(place, newest(key)));
                    positioned = true;
                }
                step.at(since.isEmpty() ? new Since(List.of(), 0) : since(since));
            } finally {
                lock.unlock();
            }
        } catch (RuntimeException e) {
            letGo();
            throw e;
        }
    }

    private void everyLog(BiConsumer<Place, Cell.Key> step) {
        for (String home : source.homes()) {
            source.logs(home).forEach((name, key) -> step.accept(place(name, home), key));
        }
    }

    boolean inCluster() {
        return keyspace.redis().cluster();
    }

    /** Names of the lists, as clients say them. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        everyLog((place, key) -> names.add(place.text(inCluster())));
        return names;
    }

    private Since since(Map<String, Long> since) {
        boolean cluster = inCluster();
        List<Listed> all = new ArrayList<>();
        AtomicLong missed = new AtomicLong();
        everyLog(
                (place, key) -> {
                    Long from = since.get(place.text(cluster));
                    if (from == null) {
                        return;
                    }
                    long upTo = told.computeIfAbsent(place, each -> newest(key));
                    List<Listed> news =
                            after(place, key, from, ALL).stream()
                                    .filter(each -> each.number() <= upTo)
                                    .toList();
                    if (!news.isEmpty() && news.getFirst().number() > from + 1) {
                        missed.addAndGet(news.getFirst().number() - from - 1);
                    }
                    all.addAll(news);
                });
        return new Since(all, missed.get());
    }

    void letGo() {
        if (listeners.decrementAndGet() == 0) {
            lock.lock();
            try {
                if (listeners.get() == 0) {
                    told.clear();
                    positioned = false;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void close() {
        reading.close();
    }
}
