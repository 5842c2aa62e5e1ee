package dev.millrace.hub.pubsub;

import dev.millrace.hub.pubsub.channels.Refused;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

import java.util.Map;

/**
 * Errors as clients of the pub/sub server read them: text where no route was found, nothing where
 * we failed, else JSON.
 */
public final class PubsubErrors implements ErrorShape {
    private static final int FAILED = 500;

    private final String probes;

    /**
     * For paths with this prefix.
     *
     * @param pathPrefix of all paths of the room
     */
    public PubsubErrors(String pathPrefix) {
        this.probes = pathPrefix + "/probe/";
    }

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        int status = problem.code().status();
        return switch (problem.code()) {
            case Code.NOT_FOUND ->
                    problem.isBare() ? Answer.text(status, "404 page not found") : json(problem);
            case Code.METHOD_NOT_ALLOWED -> Answer.text(status, "405 method not allowed");
            default -> {
                // Probes are asked by machines that know 200 and 500 only.
                if (status >= FAILED && path.startsWith(probes)) {
                    yield ProbeApi.failed();
                }
                yield status == FAILED ? Answer.empty(status) : json(problem);
            }
        };
    }

    private static Answer json(Problem problem) {
        return Refused.json(problem.code().status(), Map.of("error", problem.detail()));
    }
}
