package dev.millrace.session;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Sessions at the hub, over its interface. Thread-safe. */
final class HubClient {
    private final URI hub;
    private final Optional<String> token;
    private final Duration patience;
    private final HttpClient client;

    /**
     * Of one hub.
     *
     * @param token of an operator, where the hub wants one
     * @param patience how long a call may take
     */
    HubClient(URI hub, Optional<String> token, Duration patience) {
        this.hub = hub;
        this.token = token;
        this.patience = patience;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(patience)
                        .build();
    }

    /** A session as the hub tells it. */
    record Kept(
            String token,
            String user,
            Instant created,
            Instant seen,
            Duration idle,
            Map<String, JsonNode> attributes) {}

    Kept create(Optional<Duration> ttl) {
        ObjectNode body = Values.MAPPER.createObjectNode();
        ttl.ifPresent(time -> body.put("ttl", time.toSeconds()));
        return kept(must(send("POST", "/shop/sessions", body.toString()), 201));
    }

    /** It lives longer by that; empty if there is none. */
    Optional<Kept> touch(String session) {
        HttpResponse<String> answer = send("GET", path(session) + "?touch=true", "");
        return answer.statusCode() == 404 || answer.statusCode() == 400
                ? Optional.empty()
                : Optional.of(kept(must(answer, 200)));
    }

    /** Whether there still is such a session. */
    boolean change(String session, Map<String, JsonNode> attributes) {
        ObjectNode body = Values.MAPPER.createObjectNode();
        ObjectNode changes = body.putObject("attributes");
        attributes.forEach(changes::set);
        HttpResponse<String> answer = send("PATCH", path(session), body.toString());
        return answer.statusCode() != 404 && must(answer, 200).statusCode() == 200;
    }

    void give(String session, String user) {
        ObjectNode body = Values.MAPPER.createObjectNode().put("user", user);
        must(send("PUT", path(session), body.toString()), 200, 201);
    }

    /** The token that it has now; empty if there is no such session. */
    Optional<String> rotate(String session) {
        HttpResponse<String> answer = send("POST", path(session) + "/rotate", "{}");
        return answer.statusCode() == 404
                ? Optional.empty()
                : Optional.of(kept(must(answer, 200)).token());
    }

    void end(String session) {
        must(send("DELETE", path(session), ""), 204);
    }

    private static String path(String session) {
        return "/shop/sessions/" + session;
    }

    private HttpResponse<String> send(String method, String path, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(hub.resolve(path))
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        try {
            return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new HubAwayException("The hub at %s cannot be reached.".formatted(hub), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HubAwayException("Interrupted while the hub was asked.", e);
        }
    }

    private static HttpResponse<String> must(HttpResponse<String> answer, int... statuses) {
        for (int status : statuses) {
            if (answer.statusCode() == status) {
                return answer;
            }
        }
        throw new HubAwayException(
                "The hub answered %d: %s".formatted(answer.statusCode(), answer.body()));
    }

    private static Kept kept(HttpResponse<String> answer) {
        try {
            JsonNode json = Values.MAPPER.readTree(answer.body());
            Instant seen = time(json, "lastSeen");
            Instant ends = time(json, "expiresAt");
            Map<String, JsonNode> attributes = new HashMap<>();
            json.path("attributes")
                    .properties()
                    .forEach(each -> attributes.put(each.getKey(), each.getValue()));
            return new Kept(
                    text(json, "token"),
                    text(json, "user"),
                    time(json, "createdAt"),
                    seen,
                    Duration.between(seen, ends),
                    attributes);
        } catch (JacksonException | DateTimeParseException e) {
            throw new HubAwayException("The hub's answer cannot be understood.", e);
        }
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isString() ? value.asString() : "";
    }

    private static Instant time(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isString() ? Instant.parse(value.asString()) : Instant.EPOCH;
    }
}
