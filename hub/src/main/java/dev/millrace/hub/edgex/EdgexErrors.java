package dev.millrace.hub.edgex;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

/** Errors as clients of EdgeX read them: a line of text, and nothing at all for a wrong method. */
public final class EdgexErrors implements ErrorShape {
    private static final String PLAIN = "text/plain; charset=utf-8";

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        if (problem.code() == Code.METHOD_NOT_ALLOWED) {
            return Answer.empty(problem.code().status()).with("Content-Type", PLAIN);
        }
        String text =
                problem.code() == Code.NOT_FOUND && problem.isBare()
                        ? "404 page not found"
                        : problem.detail();
        return answer(problem.code().status(), text);
    }

    /** An error that is not a problem of ours, such as the answer of another service. */
    public static Answer answer(int status, String text) {
        return Answer.text(status, text + "\n").with("X-Content-Type-Options", "nosniff");
    }
}
