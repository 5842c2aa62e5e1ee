package dev.millrace.hub.work;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads, decides and writes until nobody comes in between. For changes that span several entities;
 * those of one are done by its store.
 */
public final class Again {
    private static final int ATTEMPTS = 16;

    private Again() {}

    /**
     * Tries again as long as others are faster.
     *
     * @param read what is to be changed; empty if there is none, which is ABSENT
     */
    public static <T, R> Outcome<R> until(
            Supplier<Optional<T>> read, String id, Function<T, Outcome<R>> write) {
        return until(
                read, () -> Outcome.notDone(Reason.ABSENT, "There is no " + id + "."), id, write);
    }

    /**
     * The same.
     *
     * @param absent what comes of it if there is none
     */
    public static <T, R> Outcome<R> until(
            Supplier<Optional<T>> read,
            Supplier<Outcome<R>> absent,
            String id,
            Function<T, Outcome<R>> write) {
        Outcome<R> last =
                Outcome.notDone(Reason.CONFLICT, id + " is being changed by others; try again.");
        for (int attempt = 0; attempt < ATTEMPTS && wasOvertaken(last); attempt++) {
            try {
                Optional<T> before = read.get();
                if (before.isEmpty()) {
                    return absent.get();
                }
                last = write.apply(before.get());
            } catch (RedisException e) {
                return Outcome.failed(e); // of a read
            }
        }
        return last;
    }

    /** Whether what was read had changed, or a part of it had gone, before it was written. */
    public static boolean wasOvertaken(Outcome<?> outcome) {
        return outcome.failedBy(Reason.CONFLICT) || outcome.failedBy(Reason.ABSENT);
    }
}
