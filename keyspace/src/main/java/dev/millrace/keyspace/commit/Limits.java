package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.jspecify.annotations.Nullable;

/** How much one commit takes: what is more would hold up the server for all others. */
final class Limits {
    private Limits() {}

    /** What is said to one that is too large; null if it is not. */
    static Outcome.@Nullable NotDone<Long> refusal(Operations checks, Operations writes) {
        if (writes.count() > Commit.MAX_WRITES) {
            return tooLarge(Commit.MAX_WRITES, "writes", writes.count());
        }
        if (checks.count() > Commit.MAX_CHECKS) {
            return tooLarge(Commit.MAX_CHECKS, "checks", checks.count());
        }
        int words = checks.words() + writes.words();
        if (words > Commit.MAX_WORDS) {
            return tooLarge(Commit.MAX_WORDS, "keys and arguments", words);
        }
        int bytes = checks.bytes() + writes.bytes();
        return bytes > Commit.MAX_BYTES ? tooLarge(Commit.MAX_BYTES, "bytes", bytes) : null;
    }

    /** Whether so much more would be taken. */
    static boolean haveRoom(
            Operations checks, Operations writes, int moreWrites, int moreWords, int moreBytes) {
        return writes.count() + moreWrites <= Commit.MAX_WRITES
                && checks.count() <= Commit.MAX_CHECKS
                && checks.words() + writes.words() + moreWords <= Commit.MAX_WORDS
                && (long) checks.bytes() + writes.bytes() + moreBytes <= Commit.MAX_BYTES;
    }

    private static Outcome.NotDone<Long> tooLarge(int most, String what, int count) {
        return new Outcome.NotDone<>(
                Reason.TOO_LARGE,
                "One commit takes %d %s, not %d; do it in steps.".formatted(most, what, count));
    }
}
