package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Deletes what a query finds, oldest first, page by page. The deletions of a page travel together;
 * between two pages others get their turn.
 */
final class RangeDelete<E> {
    private static final int STEP = 100;

    private final Ground ground;
    private final Store<E> store;
    private final Reader<E> reader;
    private final Query<E> step;
    private final Asked<E> asked;

    RangeDelete(Ground ground, Store<E> store, Reader<E> reader, Query<E> query) {
        this.ground = ground;
        this.store = store;
        this.reader = reader;
        this.step = query.oldestFirst().limit(STEP);
        this.asked = query.asked();
    }

    /** {@link Query#delete} says what comes out. */
    Outcome<Long> run(LongConsumer progress) {
        long deleted = 0;
        Outcome<?> worst = Outcome.done(0L);
        while (true) {
            Page<E> page;
            try {
                page = step.page();
            } catch (RedisException e) {
                return Outcome.notDone(
                        e.reason(), e.getMessage() + " " + deleted + " were deleted.");
            }
            List<CompletableFuture<Outcome<Stored<E>>>> going = new ArrayList<>();
            for (Stored<E> item : page.items()) {
                going.add(deletion(item));
            }
            for (CompletableFuture<Outcome<Stored<E>>> each : going) {
                switch (each.join()) {
                    case Outcome.Done<Stored<E>> done -> deleted++;
                    case Outcome.Unconfirmed<Stored<E>> stored -> {
                        deleted++;
                        worst = stored;
                    }
                    case Outcome.NotDone<Stored<E>>(Reason reason, String detail)
                            when reason == Reason.ABSENT -> {}
                    case Outcome.NotDone<Stored<E>>(Reason reason, String detail) -> {
                        return Outcome.notDone(reason, detail + " " + deleted + " were deleted.");
                    }
                    case Outcome.Unknown<Stored<E>>(String detail) -> {
                        return new Outcome.Unknown<>(detail + " " + deleted + " were deleted.");
                    }
                }
            }
            progress.accept(deleted);
            if (page.next().isEmpty()) {
                return Outcome.done(deleted).after(worst);
            }
            step.after(page.next().get());
        }
    }

    /** All deletions of a step travel together; one that others were faster at is tried again. */
    private CompletableFuture<Outcome<Stored<E>>> deletion(Stored<E> item) {
        return ground.commit(item.place())
                .delete(store.layout(), item)
                .send()
                .thenCompose(
                        outcome ->
                                outcome.failedBy(Reason.CONFLICT)
                                        ? CompletableFuture.supplyAsync(
                                                () -> deleteIfStillHere(item),
                                                Thread::startVirtualThread)
                                        : CompletableFuture.completedFuture(
                                                outcome.map(done -> item)));
    }

    /** What was changed meanwhile is deleted only if it still belongs in this range. */
    private Outcome<Stored<E>> deleteIfStillHere(Stored<E> item) {
        Outcome<Stored<E>> last = store.delete(item);
        for (int i = 1; i < Store.ATTEMPTS && last.failedBy(Reason.CONFLICT); i++) {
            Optional<Stored<E>> now =
                    reader.get(item.id())
                            .filter(each -> asked.covers(store.layout(), each.value()));
            if (now.isEmpty()) {
                return Outcome.notDone(Reason.ABSENT, item.id() + " is not in the range any more.");
            }
            last = store.delete(now.get());
        }
        return last;
    }
}
