package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.channels.Wakes;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Takes the work of webhooks as it is due, and has it done. Every hub of a site runs one; what one
 * has claimed no other one gets, until the claim ends because its hub has died. What this hub
 * publishes wakes it at once; once a second it looks everywhere, for what others left behind.
 */
final class WebhookSender implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Webhooks.LOGGER);

    private static final Duration POLL = Duration.ofSeconds(1);

    /** Each holds a page of messages and a socket. */
    private static final int MOST_AT_ONCE = 512;

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final List<Integer> EVERYWHERE =
            IntStream.range(0, WebhookWork.PARTS).boxed().toList();

    private final WebhookTools tools;
    private final Wakes wakes;
    private final Bell bell = new Bell();

    /** Parts of the list in which there may be something to do. */
    private final Set<Integer> promising = ConcurrentHashMap.newKeySet();

    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private boolean troubled;

    WebhookSender(WebhookTools tools, Wakes wakes) {
        this.tools = tools;
        this.wakes = wakes;
    }

    void start() {
        threads.execute(this::run);
    }

    /** There is something to be done for this channel. */
    void wake(String channel) {
        promising.add(WebhookWork.part(channel));
        bell.ring();
    }

    private void run() {
        long looked = System.nanoTime() - POLL.toNanos();
        while (!tools.stopping()) {
            try {
                long left = POLL.toNanos() - (System.nanoTime() - looked);
                bell.await(Duration.ofNanos(Math.max(0, left)));
                List<Integer> parts = List.copyOf(promising);
                promising.removeAll(parts);
                if (System.nanoTime() - looked >= POLL.toNanos()) {
                    parts = EVERYWHERE;
                    looked = System.nanoTime();
                }
                claim(parts);
                troubled = false;
            } catch (CompletionException e) {
                trouble(e.getCause() instanceof RedisException known ? known : e);
            } catch (RedisException e) {
                trouble(e);
            } catch (InterruptedException e) {
                return;
            } catch (RejectedExecutionException e) {
                return; // closing
            } catch (RuntimeException e) {
                log.error("The delivery to webhooks met something unexpected.", e);
            }
        }
    }

    /** While Redis is away there is nothing to be done, and one line in the log says so. */
    private void trouble(RuntimeException e) {
        if (!troubled && !tools.stopping()) {
            troubled = true;
            log.warn("The delivery to webhooks waits. reason={}", e.getMessage());
        }
    }

    private void claim(List<Integer> parts) {
        int free = places.availablePermits();
        if (parts.isEmpty() || free < parts.size()) {
            return;
        }
        int each = free / parts.size();
        for (WebhookWork.Claim claim : tools.work().claim(parts, each, WebhookTools.LEASE)) {
            places.acquireUninterruptibly();
            threads.execute(() -> carry(claim));
        }
    }

    private void carry(WebhookWork.Claim claim) {
        String channel = claim.item().channel();
        try {
            Optional<Duration> again =
                    claim.item().isDeadLetters()
                            ? DeadLetterRun.of(tools, claim)
                            : WebhookRun.of(tools, claim);
            again.ifPresent(wait -> wakeIn(channel, wait));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The work stays, and is claimed again when this claim ends.
            log.warn(
                    "The delivery to a webhook is cut short and goes on later. channel={}"
                            + " webhook={} reason={}",
                    channel,
                    claim.item().webhook(),
                    e.toString());
        } finally {
            places.release();
        }
    }

    /** What is due later than the next look everywhere needs no clock of its own. */
    private void wakeIn(String channel, Duration wait) {
        if (tools.stopping()) {
            return;
        }
        if (wait.isZero()) {
            wake(channel);
        } else if (wait.compareTo(POLL) < 0) {
            wakes.later(wait.toMillis() + 1, () -> wake(channel));
        }
    }

    /** Lets what is being sent come to its end, for a while; the rest is left to others. */
    @Override
    public void close() {
        tools.patience().stop();
        bell.ring();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("Some calls of webhooks are cut short; they are made again.");
                threads.shutdownNow();
                threads.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threads.shutdownNow();
        }
        tools.client().close();
    }
}
