package dev.millrace.hub.documents;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

import java.util.Map;

/** Errors as clients of Brewblox read them: one member, {@code detail}. */
public final class BrewbloxErrors implements ErrorShape {

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        return Answer.json(problem.code().status(), Map.of("detail", detail(problem)));
    }

    private static String detail(Problem problem) {
        return switch (problem.code()) {
            case Code.NOT_FOUND -> problem.isBare() ? "Not Found" : problem.detail();
            case Code.METHOD_NOT_ALLOWED -> "Method Not Allowed";
            default -> problem.detail();
        };
    }
}
