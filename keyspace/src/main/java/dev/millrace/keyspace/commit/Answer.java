package dev.millrace.keyspace.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;

import org.jspecify.annotations.Nullable;

/** Says in words what the script has answered to a basket. */
record Answer(Operations checks, Operations writes, Place place, @Nullable String token) {

    Outcome<Long> of(Request request, @Nullable Object reply) {
        Outcome<Long> outcome = of(reply);
        if (outcome instanceof Outcome.Done<Long>(Long sequence) && !request.confirmed()) {
            return new Outcome.Unconfirmed<>(sequence, UnconfirmedException.SENTENCE);
        }
        // A check may have failed because of what the first sending has done.
        return request.repeated() && token == null && outcome instanceof Outcome.NotDone<Long> not
                ? new Outcome.Unknown<>("Sent twice; the second time " + not.detail())
                : outcome;
    }

    private Outcome<Long> of(@Nullable Object reply) {
        if (reply instanceof Long sequence) {
            return Outcome.done(sequence);
        }
        if (!(reply instanceof byte[] code) || code.length < 2) {
            return new Outcome.Unknown<>("Redis gave no answer to this commit.");
        }
        int operation = Integer.parseInt(new String(code, 1, code.length - 1, UTF_8)) - 1;
        String key = checks.keyText(writes, operation, place.prefix());
        return switch (code[0]) {
            case 'D' -> Outcome.notDone(Reason.DUPLICATE, key + " exists already.");
            case 'A' -> Outcome.notDone(Reason.ABSENT, key + " is not there.");
            case 'R' -> Outcome.notDone(Reason.REFUSED, key + " exists and is something else.");
            case 'F' ->
                    Outcome.notDone(
                            Reason.FULL,
                            key
                                    + " is full: a reader that must not miss anything is too far"
                                    + " behind.");
            case 'W' ->
                    Outcome.notDone(Reason.WRONG_TYPE, key + " holds another type than expected.");
            case 'C' ->
                    Outcome.notDone(
                            Reason.CONFLICT, key + " was changed meanwhile; read it again.");
            // 'U': it met a letter that it does not know. Whatever else it says is as unknown here.
            default ->
                    Outcome.notDone(
                            Reason.ERROR,
                            "The script of this commit does not know its operations.");
        };
    }
}
