package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.junit.jupiter.api.Test;

/** What a caller who waits is told. */
class RequestTest {
    private final Request request = Request.writing(0, 0, Wire.ascii("INCR"), Wire.ascii("a"));

    @Test
    void a_lost_answer_is_an_unknown_outcome_with_its_cause() {
        OutcomeUnknownException lost = new OutcomeUnknownException("lost");
        request.answer.completeExceptionally(lost);
        assertThatThrownBy(request::await)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessage("lost")
                .hasCause(lost);
    }

    @Test
    void a_failure_keeps_its_reason() {
        request.answer.completeExceptionally(new RedisException(Reason.FULL, "full"));
        assertThatThrownBy(request::await)
                .isInstanceOf(RedisException.class)
                .hasMessage("full")
                .extracting(failure -> ((RedisException) failure).reason())
                .isEqualTo(Reason.FULL);
    }
}
