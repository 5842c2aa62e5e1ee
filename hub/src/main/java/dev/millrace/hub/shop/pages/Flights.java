package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Asked;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.hub.shop.pages.PageFigures.How;
import dev.millrace.hub.shop.pages.PageStore.Found;
import dev.millrace.hub.shop.pages.PageStore.Right;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * One request to the application for each page, however many clients want it at once. Within this
 * hub the first one asks and the others wait for what comes; between hubs the right to ask is a
 * lease in Redis, and who does not get it waits for news of the page. Nobody waits for longer than
 * he is told to: then he asks himself. Where Redis cannot be reached each hub asks for itself.
 * Thread-safe.
 */
final class Flights {
    private static final Logger log = LoggerFactory.getLogger(Flights.class);
    private static final Seldom FAILURES = new Seldom();
    private static final long AWAY_NANOS = Duration.ofSeconds(2).toNanos();

    private final PagesSettings settings;
    private final PageStore store;
    private final Near near;
    private final PageNews news;
    private final PageViews views;
    private final PageFigures figures;
    private final InstantSource clock;
    private final Duration lease;
    private final String hub;
    private final BiConsumer<Asked, Turn.Fetch> fetcher;
    private final Map<String, Flight> flights = new ConcurrentHashMap<>();
    private final AtomicLong number = new AtomicLong();
    private volatile long awayUntil = System.nanoTime();

    /**
     * None yet.
     *
     * @param lease how long asking the application may take
     * @param fetcher asks it for something that no client waits for
     */
    Flights(
            PagesSettings settings,
            PageStore store,
            Near near,
            PageNews news,
            PageViews views,
            PageFigures figures,
            InstantSource clock,
            Duration lease,
            String hub,
            BiConsumer<Asked, Turn.Fetch> fetcher) {
        this.settings = settings;
        this.store = store;
        this.near = near;
        this.news = news;
        this.views = views;
        this.figures = figures;
        this.clock = clock;
        this.lease = lease;
        this.hub = hub;
        this.fetcher = fetcher;
    }

    /** Whether Redis could not be reached a moment ago: nobody waits for it again so soon. */
    boolean away() {
        return awayUntil - System.nanoTime() > 0;
    }

    static String newHub() {
        return UUID.randomUUID().toString();
    }

    boolean hears() {
        return news.hears();
    }

    // ------------------------------------------------------------------ clients

    /**
     * A client wants a page that is not here, or too old.
     *
     * @param old it, if it is here
     */
    Turn join(PageRequest request, String hash, Optional<Page> old, PageDesk desk) {
        if (request.isHead()) {
            // What comes has no body to keep.
            return desk.askYourself(request, How.PASS, "head");
        }
        Flight mine = new Flight(hash);
        Flight there = flights.putIfAbsent(hash, mine);
        CompletableFuture<Turn> turn = new CompletableFuture<>();
        if (there != null) {
            wait(request, there, desk, turn);
        } else {
            Thread.ofVirtual().name("page").start(() -> lead(mine, request, old, desk, turn));
        }
        return new Turn.Later(turn);
    }

    private void wait(
            PageRequest request, Flight flight, PageDesk desk, CompletableFuture<Turn> turn) {
        CompletableFuture<Flight.Landing> mine = flight.landing.copy();
        mine.completeOnTimeout(
                Flight.Landing.ASK_YOURSELF, settings.patience().toNanos(), TimeUnit.NANOSECONDS);
        var _ =
                mine.whenComplete(
                        (landing, why) -> {
                            try {
                                turn.complete(
                                        switch (landing) {
                                            case LOOK_AGAIN -> desk.decide(request.again(), flight);
                                            case ASK_YOURSELF ->
                                                    desk.askYourself(
                                                            request,
                                                            How.IMPATIENT,
                                                            "not-collapsed");
                                            case NOTHING -> PageAnswers.failed(flight.failure());
                                        });
                            } catch (RuntimeException e) {
                                turn.completeExceptionally(e);
                            }
                        });
    }

    private void lead(
            Flight flight,
            PageRequest request,
            Optional<Page> old,
            PageDesk desk,
            CompletableFuture<Turn> turn) {
        try {
            turn.complete(first(flight, request, old, desk));
        } catch (RuntimeException e) {
            land(flight, Flight.Landing.LOOK_AGAIN);
            turn.completeExceptionally(e);
        }
    }

    private Turn first(Flight flight, PageRequest request, Optional<Page> old, PageDesk desk) {
        long since = near.purges();
        String who = hub + ":" + number.incrementAndGet();
        if (away()) {
            return fetch(flight, request, old, since, who, "");
        }
        try (PageNews.Waiting waiting = news.waiting(flight.hash)) {
            long end = System.nanoTime() + settings.patience().toNanos();
            while (true) {
                Found found = store.look(flight.hash);
                Optional<Turn> known = known(flight, request, found, since, desk);
                if (known.isPresent()) {
                    return known.get();
                }
                Right right = store.take(flight.hash, who, lease, found.stored());
                if (right instanceof Right.Mine(String serverTime)) {
                    return fetch(flight, request, found.page(), since, who, serverTime);
                }
                long left = end - System.nanoTime();
                if (right instanceof Right.Busy && left <= 0) {
                    land(flight, Flight.Landing.ASK_YOURSELF);
                    return desk.askYourself(request, How.IMPATIENT, "waited");
                }
                if (right instanceof Right.Busy) {
                    waiting.await(left);
                }
            }
        } catch (RedisException | CompletionException e) {
            FAILURES.say(
                    before ->
                            log.warn(
                                    "Pages are served without Redis. reason={} before={}",
                                    e.getMessage(),
                                    before));
            awayUntil = System.nanoTime() + AWAY_NANOS;
            land(flight, Flight.Landing.LOOK_AGAIN);
            return desk.decide(request.again(), flight);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return fetch(flight, request, old, since, who, "");
        }
    }

    /** What Redis has may do. */
    private Optional<Turn> known(
            Flight flight, PageRequest request, Found found, long since, PageDesk desk) {
        if (found.known().isEmpty()) {
            return Optional.empty();
        }
        boolean good =
                switch (found.known().get()) {
                    case Known.Varies varies -> true;
                    case Known.Uncacheable marker -> marker.until() > clock.millis();
                    case Known.Kept kept ->
                            switch (desk.using(
                                    request, found.page().orElseThrow(), clock.millis())) {
                                case GIVE, GIVE_AND_REFRESH -> true;
                                case ASKED_FOR_ANEW, REFRESH, GONE -> false;
                            };
                };
        if (!good) {
            return Optional.empty();
        }
        Near.Copy copy = copy(found);
        flight.brings(flight.hash, copy, since);
        near.put(flight.hash, copy, since);
        land(flight, Flight.Landing.LOOK_AGAIN);
        boolean purged = flight.brought(flight.hash, near.purges()) == null;
        // That it came from Redis and not from this process is nobody's business.
        return Optional.of(desk.decide(purged ? request.again() : request, flight));
    }

    private static Near.Copy copy(Found found) {
        return new Near.Copy(
                found.known().orElseThrow(), found.page().orElse(null), found.stored());
    }

    private Turn.Fetch fetch(
            Flight flight,
            PageRequest request,
            Optional<Page> old,
            long since,
            String who,
            String serverTime) {
        return new PageFetch(this, flight, request, old, since, who, serverTime).turn();
    }

    // ------------------------------------------------------------------ without a client

    /** A page that was given out is old; it is asked for anew, unless somebody does so already. */
    void refresh(PageRequest request, Page page) {
        Flight mine = new Flight(page.hash);
        if (request.isHead() || flights.putIfAbsent(page.hash, mine) != null) {
            return;
        }
        long since = near.purges();
        String who = hub + ":" + number.incrementAndGet();
        Thread.ofVirtual()
                .name("page-refresh")
                .start(
                        () -> {
                            String serverTime = "";
                            try {
                                Found found = store.look(page.hash);
                                Near.Copy now = near.find(page.hash);
                                if (now != null && !Arrays.equals(found.stored(), now.stored)) {
                                    // Another hub has done it, or somebody has purged it.
                                    renew(page.hash, found, since);
                                    land(mine, Flight.Landing.LOOK_AGAIN);
                                    return;
                                }
                                Right right = store.take(page.hash, who, lease, found.stored());
                                if (!(right instanceof Right.Mine(String time))) {
                                    land(mine, Flight.Landing.LOOK_AGAIN);
                                    return;
                                }
                                serverTime = time;
                            } catch (RedisException | CompletionException e) {
                                log.debug("Refreshing without Redis. reason={}", e.getMessage());
                            }
                            try {
                                fetcher.accept(
                                        request.asked(),
                                        fetch(
                                                mine,
                                                request,
                                                Optional.of(page),
                                                since,
                                                who,
                                                serverTime));
                            } catch (RuntimeException e) {
                                land(mine, Flight.Landing.LOOK_AGAIN);
                                log.error("A page could not be refreshed.", e);
                            }
                        });
    }

    /** Compares a copy with Redis, beside the request that noticed that it is time to. */
    void compare(String hash, Near.Copy copy) {
        long since = near.purges();
        Thread.ofVirtual()
                .name("page-look")
                .start(
                        () -> {
                            try {
                                if (!store.holds(hash, copy)) {
                                    renew(hash, store.look(hash), since);
                                }
                            } catch (RedisException | CompletionException e) {
                                log.debug("A copy is not compared. reason={}", e.getMessage());
                            }
                        });
    }

    /** It was noted that a page cannot be kept, and now it can. */
    void unmark(String hash, Near.Copy copy) {
        if (!near.drop(hash, copy)) {
            return;
        }
        Thread.ofVirtual()
                .name("page-unmark")
                .start(
                        () -> {
                            try {
                                store.unmark(hash, copy.stored, hub);
                            } catch (RedisException | CompletionException e) {
                                log.debug("A note about a page stays. reason={}", e.getMessage());
                            }
                        });
    }

    private void renew(String hash, Found found, long since) {
        if (found.known().isPresent()) {
            near.put(hash, copy(found), since);
        } else {
            near.drop(hash);
        }
    }

    // ------------------------------------------------------------------ ends

    void land(Flight flight, Flight.Landing landing) {
        flights.remove(flight.hash, flight);
        flight.landing.complete(landing);
    }

    PagesSettings settings() {
        return settings;
    }

    PageStore store() {
        return store;
    }

    Near near() {
        return near;
    }

    PageViews views() {
        return views;
    }

    PageFigures figures() {
        return figures;
    }

    InstantSource clock() {
        return clock;
    }
}
