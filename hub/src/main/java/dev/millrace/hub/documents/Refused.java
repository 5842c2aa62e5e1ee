package dev.millrace.hub.documents;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;

import java.io.Serial;
import java.util.Map;

/**
 * A request that is answered with something else than it wanted, in a shape that only this room
 * knows. It is an answer, not an accident, so it carries no stack.
 */
final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    Refused(Answer answer) {
        super("refused", null, false, false);
        this.answer = answer;
    }

    static Refused with(int status, String detail) {
        return new Refused(Answer.json(status, Map.of("detail", detail)));
    }

    Answer answer() {
        return answer;
    }

    /** Work whose refusals are its answers. */
    static Handler.Work answering(Handler.Work work) {
        return request -> {
            try {
                return work.answer(request);
            } catch (Refused refused) {
                return refused.answer;
            }
        };
    }
}
