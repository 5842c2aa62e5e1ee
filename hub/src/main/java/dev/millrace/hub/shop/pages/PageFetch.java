package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.proxy.Failure;
import dev.millrace.hub.http.proxy.Seen;
import dev.millrace.hub.http.proxy.Taker;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.hub.shop.pages.PageFigures.How;
import dev.millrace.hub.shop.pages.PageStore.Body;
import dev.millrace.hub.shop.pages.PageStore.Keeping;
import dev.millrace.hub.shop.pages.rfc.Conditions;
import dev.millrace.hub.shop.pages.rfc.Fields;
import dev.millrace.hub.shop.pages.rfc.Lifetime;
import dev.millrace.hub.shop.pages.rfc.Merging;
import dev.millrace.hub.shop.pages.rfc.Storing;
import dev.millrace.hub.shop.pages.rfc.Varying;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The application is asked for a page, and what it says is kept for all who wait for it, and for
 * those who come. It is asked as if no client had said what it has already; what we have is said
 * instead. Lands its flight once, whatever comes.
 */
final class PageFetch implements Taker, Seen.Keeper {
    private static final Logger log = LoggerFactory.getLogger(PageFetch.class);
    private static final int MOST_TAGS = 64;
    private static final int LONGEST_TAG = 256;
    private static final Set<Integer> ERRORS = Set.of(500, 502, 503, 504);

    /** What one request said may be true for that request alone. */
    private static final Set<String> NOT_OF_THE_PAGE =
            Set.of("request-no-store", "authorization", "status");

    /** After a failure the application is left alone for so long, page by page. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private final Flights flights;
    private final Flight flight;
    private final PageRequest request;
    private final Optional<Page> old;
    private final long since;
    private final String who;

    /** When we got the right to ask, by the clock of the server; empty without Redis. */
    private final String serverTime;

    /** Set when the head of an answer that is kept has come, on the loop that it comes on. */
    private Storing.May may = new Storing.May(new Lifetime(0, 0, 0, false), 0);

    private int status;
    private long began;
    private Fields answer = new Fields(List.of());

    PageFetch(
            Flights flights,
            Flight flight,
            PageRequest request,
            Optional<Page> old,
            long since,
            String who,
            String serverTime) {
        this.flights = flights;
        this.flight = flight;
        this.request = request;
        this.old = old;
        this.since = since;
        this.who = who;
        this.serverTime = serverTime;
    }

    Turn.Fetch turn() {
        List<Header> with =
                old.filter(page -> page.known.status() == 200)
                        .map(page -> Conditions.ofPage(page.fields()).all())
                        .orElse(List.of());
        return new Turn.Fetch(
                Conditions.OF_CLIENTS, with, Optional.of(request.address().target()), this);
    }

    private String forwarded() {
        return old.isPresent() ? "fwd=stale" : "fwd=miss";
    }

    // ------------------------------------------------------------------ the head

    @Override
    public Seen head(Head head) {
        long now = flights.clock().millis();
        Fields fields = new Fields(head.headers());
        if (head.status() == 304 && old.isPresent()) {
            return new Seen.Instead(stillThere(old.get(), fields, head, now));
        }
        if (ERRORS.contains(head.status())) {
            Optional<Turn> instead = instead("; fwd-status=" + head.status(), now);
            if (instead.isPresent()) {
                return new Seen.Instead(instead.get());
            }
        }
        Storing storing =
                Storing.of(
                        flights.settings().policy(),
                        request.fields(),
                        head.status(),
                        fields,
                        head.asked(),
                        head.began());
        return switch (storing) {
            case Storing.MayNot(String why) -> {
                notKept(why);
                flights.figures().count(How.UNCACHEABLE);
                if (head.status() < 400) {
                    flights.views().seen(request.asked(), request.item());
                }
                yield Seen.Relay.of(
                        Passing.forClient(
                                head.headers(),
                                PageAnswers.status(forwarded() + "; detail=" + why)));
            }
            case Storing.May yes -> keep(head, fields, yes);
        };
    }

    private Seen keep(Head head, Fields fields, Storing.May yes) {
        may = yes;
        status = head.status();
        began = head.began();
        answer = cleaned(fields);
        // Somebody who has the page already, or wants a part, gets that when all of it is here.
        boolean waiting = Conditions.has(request.fields()) || request.wantsPart();
        flights.figures().count(How.MISS);
        flights.views().seen(request.asked(), request.item());
        return new Seen.Keep(
                Passing.forClient(
                        fields.without(
                                        flights.settings().stripCookies()
                                                ? Set.of("set-cookie")
                                                : Set.of())
                                .all(),
                        PageAnswers.status(forwarded() + "; stored")),
                (int) flights.settings().largest().count(),
                waiting,
                this);
    }

    /** Without what is for one client, or for caches. */
    private static Fields cleaned(Fields fields) {
        return fields.without(Set.of("set-cookie", "age", "content-length", "surrogate-control"));
    }

    // ------------------------------------------------------------------ all of it

    @Override
    public Turn whole(byte[] body) {
        List<String> names = Varying.names(answer);
        String address = request.address().hash();
        String group = request.address().group();
        String hash =
                names.isEmpty()
                        ? address
                        : Addresses.variant(
                                address, names, Varying.values(names, request.fields()));
        Known.Kept known =
                new Known.Kept(
                        group,
                        request.address().url(),
                        request.item(),
                        status,
                        answer.without(PageAnswers.NOT_FOR_CLIENTS).all(),
                        tags(answer),
                        jittered(may.lifetime(), answer),
                        may.age(),
                        began);
        Page page = new Page(hash, known, body);
        Runnable writing = keep(page, new Body.New(body));
        if (!names.isEmpty()) {
            Known.Varies varies = new Known.Varies(group, known.url(), known.item(), names);
            Runnable variants = note(address, varies, Duration.ofMillis(known.lifetime().most()));
            Runnable pages = writing;
            writing =
                    () -> {
                        variants.run();
                        pages.run();
                    };
        }
        flights.land(flight, Flight.Landing.LOOK_AGAIN);
        soon(writing);
        return PageAnswers.fetched(
                page, request.fields(), flights.clock().millis(), forwarded() + "; stored");
    }

    /** In this process at once; what is returned writes it to Redis. */
    private Runnable keep(Page page, Body body) {
        byte[] stored = PageStore.written(page.known);
        bring(page.hash, new Near.Copy(page.known, page, stored));
        long left = page.known.lifetime().most() - page.known.age();
        return () -> {
            Keeping kept = write(page.hash, page.known, stored, body, Duration.ofMillis(left));
            if (kept == Keeping.GONE) {
                kept =
                        write(
                                page.hash,
                                page.known,
                                stored,
                                new Body.New(page.body()),
                                Duration.ofMillis(left));
            }
            if (kept == Keeping.PURGED) {
                flights.near().drop(page.hash);
            }
        };
    }

    private Runnable note(String hash, Known known, Duration time) {
        byte[] stored = PageStore.written(known);
        bring(hash, new Near.Copy(known, null, stored));
        return () -> {
            if (write(hash, known, stored, new Body.None(), time) == Keeping.PURGED) {
                flights.near().drop(hash);
            }
        };
    }

    private void bring(String hash, Near.Copy copy) {
        flight.brings(hash, copy, since);
        flights.near().put(hash, copy, since);
    }

    private Keeping write(String hash, Known known, byte[] stored, Body body, Duration time) {
        return flights.store().keep(hash, known, stored, body, time, asked(hash), who);
    }

    /** Another server of a cluster may have another time; some seconds do no harm. */
    private String asked(String hash) {
        return hash.equals(flight.hash)
                ? serverTime
                : Long.toString(
                        Long.parseLong(serverTime) - Duration.ofSeconds(2).toNanos() / 1000);
    }

    private void soon(Runnable writing) {
        if (serverTime.isEmpty()) {
            return;
        }
        Thread.ofVirtual()
                .name("page-keep")
                .start(
                        () -> {
                            try {
                                writing.run();
                                flights.store().free(flight.hash, who);
                            } catch (RedisException | CompletionException e) {
                                log.debug("A page is not kept in Redis. reason={}", e.getMessage());
                            }
                        });
    }

    @Override
    public void lost(Seen.Loss why) {
        switch (why) {
            case TOO_LARGE -> notKept("too-large");
            case BROKEN_OFF -> {
                flight.failed(Failure.BROKEN);
                flights.land(flight, old.isPresent() ? staleLanding() : Flight.Landing.NOTHING);
                soon(() -> {});
            }
        }
    }

    private Flight.Landing staleLanding() {
        return instead("", flights.clock().millis()).isPresent()
                ? Flight.Landing.LOOK_AGAIN
                : Flight.Landing.NOTHING;
    }

    // ------------------------------------------------------------------ not changed

    private Turn stillThere(Page page, Fields news, Head head, long now) {
        Fields merged = cleaned(Merging.of(page.fields(), cleaned(news)));
        Storing storing =
                Storing.of(
                        flights.settings().policy(),
                        request.fields(),
                        page.known.status(),
                        merged,
                        head.asked(),
                        head.began());
        List<String> tags = tags(news);
        Known.Kept known =
                new Known.Kept(
                        page.known.address(),
                        page.known.url(),
                        page.known.item(),
                        page.known.status(),
                        merged.without(PageAnswers.NOT_FOR_CLIENTS).all(),
                        tags.isEmpty() ? page.known.tags() : tags,
                        storing instanceof Storing.May(Lifetime lifetime, long _)
                                ? jittered(lifetime, merged)
                                : page.known.lifetime(),
                        storing instanceof Storing.May(Lifetime _, long age) ? age : 0,
                        head.began());
        Page renewed = new Page(page.hash, known, page.body());
        flights.figures().count(How.REVALIDATED);
        flights.views().seen(request.asked(), request.item());
        switch (storing) {
            case Storing.May yes -> {
                Runnable writing = keep(renewed, new Body.Same());
                flights.land(flight, Flight.Landing.LOOK_AGAIN);
                soon(writing);
            }
            case Storing.MayNot(String why) -> notKept(why);
        }
        return PageAnswers.fetched(renewed, request.fields(), now, "fwd=stale; fwd-status=304");
    }

    // ------------------------------------------------------------------ nothing

    @Override
    public Turn failed(Failure why) {
        long now = flights.clock().millis();
        if (why == Failure.ABANDONED) {
            flights.land(flight, Flight.Landing.LOOK_AGAIN);
            soon(() -> {});
            return PageAnswers.failed(why);
        }
        Optional<Turn> instead = instead("", now);
        if (instead.isPresent()) {
            return instead.get();
        }
        flights.figures().count(How.FAILED);
        flight.failed(why);
        flights.land(flight, Flight.Landing.NOTHING);
        soon(() -> {});
        return PageAnswers.failed(why);
    }

    /** The old page, while it serves; the application is left alone for a moment. */
    private Optional<Turn> instead(String why, long now) {
        if (old.isEmpty() || !PageDesk.servesOnError(old.get(), now)) {
            return Optional.empty();
        }
        Page page = old.get();
        flights.figures().refreshFailures.increment();
        flights.figures().count(How.STALE);
        Near.Copy copy = flights.near().find(page.hash);
        if (copy == null || copy.page != page) {
            copy = new Near.Copy(page.known, page, PageStore.written(page.known));
            bring(page.hash, copy);
        }
        copy.quiet(QUIET);
        flights.land(flight, Flight.Landing.LOOK_AGAIN);
        soon(() -> {});
        flights.views().seen(request.asked(), request.item());
        return Optional.of(PageAnswers.insteadOfFailure(page, request.fields(), now, why));
    }

    /** Those who wait ask themselves, and others need not wait. */
    private void notKept(String why) {
        if (NOT_OF_THE_PAGE.contains(why)) {
            flights.land(
                    flight,
                    why.equals("status") ? Flight.Landing.ASK_YOURSELF : Flight.Landing.LOOK_AGAIN);
            soon(() -> {});
            return;
        }
        Duration time = flights.settings().uncacheable();
        if (time.isZero()) {
            flights.land(flight, Flight.Landing.ASK_YOURSELF);
            soon(() -> {});
            return;
        }
        Known.Uncacheable marker =
                new Known.Uncacheable(
                        request.address().group(),
                        request.address().url(),
                        request.item(),
                        why,
                        flights.clock().millis() + time.toMillis());
        Runnable writing = note(flight.hash, marker, time);
        flights.land(flight, Flight.Landing.LOOK_AGAIN);
        soon(writing);
    }

    // ------------------------------------------------------------------ details

    /** Pages that came together do not end together; none lives longer than it says. */
    private static Lifetime jittered(Lifetime lifetime, Fields answer) {
        double factor =
                Storing.saysHowLong(answer)
                        ? 1 - ThreadLocalRandom.current().nextDouble(0.1)
                        : 1 + ThreadLocalRandom.current().nextDouble(-0.1, 0.1);
        return new Lifetime(
                Math.max(1, (long) (lifetime.fresh() * factor)),
                lifetime.whileRefreshed(),
                lifetime.onError(),
                lifetime.shared());
    }

    private static List<String> tags(Fields fields) {
        Set<String> tags = new HashSet<>();
        for (String part : fields.joined("Surrogate-Key").split("[\\s,]+", -1)) {
            tags.add(part);
        }
        for (String part : fields.joined("Cache-Tag").split(",", -1)) {
            tags.add(part.strip());
        }
        return new ArrayList<>(
                tags.stream()
                        .filter(
                                each ->
                                        !each.isEmpty()
                                                && each.length() <= LONGEST_TAG
                                                && each.chars().allMatch(c -> c > ' ' && c != 0x7F))
                        .sorted()
                        .limit(MOST_TAGS)
                        .toList());
    }
}
