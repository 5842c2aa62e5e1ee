package dev.millrace.hub.readings;

import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.RefusedException;
import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.keyspace.redis.outcome.RedisException;

/**
 * How the reasons of this room are told to clients of EdgeX. Two of them have not the same status
 * everywhere, because the reference answers so.
 *
 * @param undescribed the status if there is no value descriptor
 * @param away the status if the metadata service cannot be asked
 */
record ReadingsErrors(int undescribed, int away) {
    static final ReadingsErrors USUAL = new ReadingsErrors(404, 500);

    Answer answer(Refused why) {
        if (why instanceof Refused.NotStored(RedisException failure)) {
            // Whatever fails in Redis is told in the same way everywhere.
            throw failure;
        }
        return EdgexErrors.answer(status(why), why.sentence());
    }

    int status(Refused why) {
        return switch (why) {
            case Refused.Invalid invalid -> 400;
            case Refused.TooLarge large -> 413;
            case Refused.Absent absent -> 404;
            case Refused.Conflict conflict -> 409;
            case Refused.Undescribed none -> undescribed;
            case Refused.NoDevice(Metadata.Why.NotSet notSet) -> 501;
            // What is neither yes nor an error would mean something else to our own caller.
            case Refused.NoDevice(Metadata.Why.Said(int status, String text)) ->
                    status < 400 ? 500 : status;
            case Refused.NoDevice(Metadata.Why.Silent silent) -> away;
            case Refused.NotStored(RedisException failure) -> Problem.of(failure).code().status();
        };
    }

    /** A handler whose body may be something that cannot be read. */
    static Handler.Work reading(Handler.Work work) {
        return request -> {
            try {
                return work.answer(request);
            } catch (RefusedException e) {
                return USUAL.answer(e.why());
            }
        };
    }
}
