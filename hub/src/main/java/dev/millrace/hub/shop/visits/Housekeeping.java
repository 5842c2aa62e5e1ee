package dev.millrace.hub.shop.visits;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes sessions that nobody uses, or that are too many, and halves the popularity of items now
 * and then. One hub of a site does it, in steps of about a millisecond with rests between them, in
 * which Redis is there for others; what waits in a queue of a million does not get old from that.
 */
final class Housekeeping implements AutoCloseable {
    /** So many times as long as a step took, Redis is left to others. */
    private static final int REST_FACTOR = 3;

    private static final Duration LEAST_REST = Duration.ofMillis(2);
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final SessionBook book;
    private final PopularStore popular;
    private final SessionSettings settings;
    private final ViewSettings views;
    private final InstantSource clock;
    private final AtomicLong sessions = new AtomicLong();
    private final Counter cleaned;
    private final Counter rescales;
    private final Duty duty;

    /** When the popularity was looked at last; of the duty's thread alone. */
    private long looked = Long.MIN_VALUE;

    Housekeeping(
            Keyspace keyspace,
            SessionBook book,
            PopularStore popular,
            SessionSettings settings,
            ViewSettings views,
            MeterRegistry figures,
            InstantSource clock) {
        this.book = book;
        this.popular = popular;
        this.settings = settings;
        this.views = views;
        this.clock = clock;
        Gauge.builder("millrace.shop.sessions", sessions, AtomicLong::get)
                .description("Sessions there are, as the hub that cleans has seen it last.")
                .register(figures);
        this.cleaned =
                Counter.builder("millrace.shop.sessions.cleaned")
                        .description("Sessions removed because of their age or number.")
                        .register(figures);
        this.rescales =
                Counter.builder("millrace.shop.rescales")
                        .description("How often the popularity of all items was halved.")
                        .register(figures);
        this.duty = Duty.start(keyspace, "shop-visits", figures, this::step);
    }

    private Duration step(Duty.Turn turn) {
        rescale();
        SessionBook.Stand stand = book.look();
        sessions.set(stand.count());
        if (stand.unlike()) {
            book.takeNote(settings.batch());
        }
        boolean old = stand.due();
        boolean many = stand.count() > settings.limit();
        while ((old || many) && turn.mine()) {
            long began = System.nanoTime();
            old = old && counted(book.expire(settings.batch()));
            many = many && counted(book.clean(settings.limit(), settings.batch()));
            boolean more = old || many;
            long rest = (System.nanoTime() - began) * REST_FACTOR;
            if (more && !rested(Math.max(rest, LEAST_REST.toNanos()))) {
                break;
            }
        }
        return settings.pause();
    }

    private static boolean rested(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(nanos));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether there is more to do. */
    private boolean counted(SessionBook.Cleaned step) {
        cleaned.increment((double) step.removed());
        return step.more();
    }

    /** One round now, whichever hub this is: what is removed is decided in Redis. */
    long round(long limit, int batch) {
        SessionBook.Cleaned step = book.clean(limit, batch);
        counted(step);
        return step.removed();
    }

    /** Whether it is due is decided in Redis, so that neither restarts nor hubs add up. */
    private void rescale() {
        long now = clock.instant().getEpochSecond();
        long pause = Math.max(1, views.rescale().toSeconds());
        if (looked != Long.MIN_VALUE && now >= looked && now - looked < Math.min(pause, 30)) {
            return;
        }
        looked = now;
        popular.rescaleIfDue(now, pause)
                .ifPresent(
                        done -> {
                            rescales.increment();
                            log.debug(
                                    "Halved the popularity of items. kept={} dropped={}",
                                    done.kept(),
                                    done.dropped());
                        });
    }

    @Override
    public void close() {
        duty.close();
    }
}
