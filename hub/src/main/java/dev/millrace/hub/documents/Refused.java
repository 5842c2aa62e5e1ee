package dev.millrace.hub.documents.kept;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Refusal;

import java.io.Serial;
import java.util.Map;

/**
 * A request that is answered with something else than it wanted, as clients of this room read it.
 */
public final class Refused extends Refusal {
    @Serial private static final long serialVersionUID = 1L;

    public Refused(Answer answer) {
        super("refused", answer);
    }

    public static Refused with(int status, String detail) {
        return new Refused(Answer.json(status, Map.of("detail", detail)));
    }
}
