package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

import java.util.Map;

/** Errors as clients of the pub/sub server read them: text where no route was found, else JSON. */
public final class PubsubErrors implements ErrorShape {

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        int status = problem.code().status();
        return switch (problem.code()) {
            case Code.NOT_FOUND ->
                    problem.isBare() ? Answer.text(status, "404 page not found") : json(problem);
            case Code.METHOD_NOT_ALLOWED -> Answer.text(status, "405 method not allowed");
            // Its probes are watched by machines that know 500 only.
            case Code.UNAVAILABLE -> path.startsWith("/probe") ? json(500, problem) : json(problem);
            default -> json(problem);
        };
    }

    private static Answer json(Problem problem) {
        return json(problem.code().status(), problem);
    }

    private static Answer json(int status, Problem problem) {
        return Answer.json(status, Map.of("error", problem.detail()));
    }
}
