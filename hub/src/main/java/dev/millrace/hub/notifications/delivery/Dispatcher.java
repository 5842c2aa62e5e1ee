package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.work.Beat;
import dev.millrace.hub.work.Bell;
import dev.millrace.hub.work.Patience;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.schedule.Schedule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Takes orders and items as they are due, and has them done. Every hub of a site runs one; what one
 * has claimed no other one gets, until the claim ends because its hub has died.
 *
 * <p>Each item is sent by a thread of its own, and no subscription has more of them than it may:
 * one that is dead or slow fills its own places and nobody else's. What happens in this hub wakes
 * the dispatcher at once and makes it look where something happened; once a second it looks
 * everywhere, for what others left behind.
 */
public final class Dispatcher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

    /** Until it is asked again whether Redis is back. */
    private static final Duration AWAY = Duration.ofSeconds(1);

    /**
     * For what nobody here was woken for: the work of hubs that have died, whose leases end after
     * longer than that.
     */
    private static final Duration OTHERS = Duration.ofSeconds(5);

    private static final Duration ORDER_LEASE = Duration.ofSeconds(10);

    /** Beyond the longest attempt: the time to write down how it ended. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(10);

    private static final int ORDERS = 100;

    /** Threads that wait for somebody cost little; sockets are the bound. */
    private static final int MOST_AT_ONCE = 1000;

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final NotificationStore notifications;
    private final Receivers receivers;
    private final Outboxes outboxes;
    private final Distribution distribution;
    private final Delivery delivery;
    private final Patience patience;
    private final Courier courier;
    private final int parallel;
    private final Duration lease;

    private final Bell bell = new Bell();
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final ConcurrentHashMap<String, Integer> busy = new ConcurrentHashMap<>();

    /** Subscriptions in whose outbox there may be something to be done. */
    private final Set<String> promising = ConcurrentHashMap.newKeySet();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;
    private boolean troubled;

    public Dispatcher(
            NotificationStore notifications,
            Receivers receivers,
            Outboxes outboxes,
            Distribution distribution,
            Delivery delivery,
            Patience patience,
            Courier courier,
            NotificationsSettings.Sending settings) {
        this.notifications = notifications;
        this.receivers = receivers;
        this.outboxes = outboxes;
        this.distribution = distribution;
        this.delivery = delivery;
        this.patience = patience;
        this.courier = courier;
        this.parallel = settings.parallel();
        this.lease = settings.timeOut().plus(AFTERWARDS);
    }

    public void start() {
        threads.execute(this::run);
    }

    /** There is something to be distributed. */
    public void wake() {
        bell.ring();
    }

    private void run() {
        boolean everywhere = true;
        while (!closing) {
            try {
                boolean found = round(everywhere);
                troubled = false;
                everywhere = !found && !bell.await(Beat.within(OTHERS));
            } catch (RedisException e) {
                everywhere = paused(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                return;
            } catch (RejectedExecutionException e) {
                return; // closing
            } catch (RuntimeException e) {
                log.error("The delivery of notifications met something unexpected.", e);
                everywhere = paused("see above");
            }
        }
    }

    /** While Redis is away there is nothing to be done, and one line in the log says so. */
    private boolean paused(String reason) {
        if (!troubled && !closing) {
            troubled = true;
            log.warn("The delivery of notifications waits. reason={}", reason);
        }
        try {
            bell.await(AWAY);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            closing = true;
        }
        return true;
    }

    /** Whether something was found, so that there may be more. */
    private boolean round(boolean everywhere) throws InterruptedException {
        List<Schedule.Claim> orders = notifications.distribution().claim(ORDERS, ORDER_LEASE);
        distribute(orders);
        Set<String> where = new HashSet<>(promising);
        promising.removeAll(where);
        if (everywhere) {
            where.addAll(receivers.look());
        }
        List<Schedule.Claim> items = outboxes.claim(wishes(where), lease);
        items.forEach(this::send);
        return !orders.isEmpty() || !items.isEmpty();
    }

    private void distribute(List<Schedule.Claim> orders) throws InterruptedException {
        if (orders.isEmpty()) {
            return;
        }
        List<Callable<Set<String>>> work = new ArrayList<>();
        orders.forEach(order -> work.add(() -> distribution.distribute(order)));
        for (Future<Set<String>> done : threads.invokeAll(work)) {
            try {
                promising.addAll(done.get());
            } catch (ExecutionException e) {
                // The order stays, and is claimed again.
                log.warn(
                        "A notification is distributed later. reason={}",
                        String.valueOf(e.getCause()));
            }
        }
    }

    private List<Schedule.Wish> wishes(Set<String> where) {
        List<Schedule.Wish> wishes = new ArrayList<>();
        int left = places.availablePermits();
        for (String subscription : where) {
            int free = Math.min(parallel - busy.getOrDefault(subscription, 0), left);
            if (free > 0) {
                left -= free;
                wishes.add(outboxes.wish(subscription, free));
            }
        }
        return wishes;
    }

    private void send(Schedule.Claim claim) {
        String subscription = Outboxes.subscriptionOf(claim.schedule());
        busy.merge(subscription, 1, Integer::sum);
        places.acquireUninterruptibly();
        promising.add(subscription);
        threads.execute(
                () -> {
                    try {
                        delivery.carry(claim).ifPresent(bell::ringIn);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException e) {
                        // The item stays, and is claimed again when this claim ends.
                        log.warn(
                                "A delivery is cut short. item={} reason={}",
                                claim.id(),
                                e.toString());
                    } finally {
                        places.release();
                        busy.computeIfPresent(
                                subscription, (id, count) -> count == 1 ? null : count - 1);
                        promising.add(subscription);
                        bell.ring();
                    }
                });
    }

    /** Lets what is being sent come to its end, for a while. */
    @Override
    public void close() {
        closing = true;
        bell.ring();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("Some deliveries are cut short; they go on with the next start.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        patience.stop();
        // These first: how an attempt ends that we cut short ourselves is not to be written down.
        threads.shutdownNow();
        courier.close();
    }
}
