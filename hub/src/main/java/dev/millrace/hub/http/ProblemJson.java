package dev.millrace.hub.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** The shape of RFC 9457. */
final class ProblemJson implements ErrorShape {

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "urn:millrace:problem:" + problem.code().word());
        body.put("title", problem.code().sentence());
        body.put("status", problem.code().status());
        body.put("code", problem.code().word());
        body.put("detail", problem.detail());
        body.put("instance", path);
        body.put("request", requestId);
        return Answer.bytes(problem.code().status(), "application/problem+json", Json.write(body));
    }
}
