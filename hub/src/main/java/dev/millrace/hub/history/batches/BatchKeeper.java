package dev.millrace.hub.history.batches;

import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks after batches that nobody acknowledges. One hub of a site does it. Such a batch is offered
 * once more; then it has failed. Where too many wait, the oldest have failed: the recorder never
 * waits for whoever writes them elsewhere.
 */
public final class BatchKeeper implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(2);
    private static final int AT_ONCE = 100;
    private static final int MOST_ATTEMPTS = 2;

    private final Batches batches;
    private final Duty duty;

    private BatchKeeper(Keyspace keyspace, Batches batches, MeterRegistry figures) {
        this.batches = batches;
        this.duty = Duty.start(keyspace, "history-batches", figures, this::step);
    }

    public static BatchKeeper start(Keyspace keyspace, Batches batches, MeterRegistry figures) {
        return new BatchKeeper(keyspace, batches, figures);
    }

    private Duration step(Duty.Turn turn) {
        Addition guard = turn.lease().guard();
        boolean more = bound(turn, guard);
        more |= retry(turn, guard);
        batches.forget(AT_ONCE, guard);
        return more && turn.mine() ? Duration.ZERO : REST;
    }

    /** Whether there may still be too many. */
    private boolean bound(Duty.Turn turn, Addition guard) {
        int most = batches.settings().most();
        long over = batches.count(BatchStatus.CREATED) - most;
        if (over <= 0) {
            return false;
        }
        String why =
                "More than %d batches waited; its samples are in the history alone."
                        .formatted(most);
        for (String id : batches.oldest((int) Math.min(over, AT_ONCE))) {
            if (!turn.mine()) {
                return false;
            }
            waiting(id, guard).ifPresent(seen -> batches.fail(seen, why, false, guard));
        }
        return over > AT_ONCE;
    }

    /** Whether more may be due. */
    private boolean retry(Duty.Turn turn, Addition guard) {
        List<String> due = batches.due(AT_ONCE);
        for (String id : due) {
            if (!turn.mine()) {
                return false;
            }
            waiting(id, guard).ifPresent(seen -> retry(seen, guard));
        }
        return due.size() == AT_ONCE;
    }

    private void retry(Batches.Seen seen, Addition guard) {
        if (seen.batch().attempts() < MOST_ATTEMPTS) {
            batches.offerAgain(seen, guard);
            return;
        }
        String why =
                "It was offered %d times, and nobody has acknowledged it.".formatted(MOST_ATTEMPTS);
        batches.fail(seen, why, true, guard);
    }

    /** It may have been acknowledged since its id was read. */
    private Optional<Batches.Seen> waiting(String id, Addition guard) {
        Optional<Batches.Seen> seen = batches.find(id);
        if (seen.isEmpty()) {
            batches.lost(id, guard);
        }
        return seen.filter(each -> each.batch().status() == BatchStatus.CREATED);
    }

    @Override
    public void close() {
        duty.close();
    }
}
