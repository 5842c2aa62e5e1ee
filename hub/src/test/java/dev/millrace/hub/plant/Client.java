package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** Somebody who uses the plant's API over HTTP, and knows only what the reference documents. */
final class Client implements AutoCloseable {
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();

    Client(String url) {
        this.url = url.replaceAll("/$", "");
    }

    /** Pairs of header name and value may follow. */
    Reply send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (!body.isEmpty() && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.headers().map(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What a call that must succeed answers. */
    JsonNode data(String method, String path, String body) {
        Reply reply = send(method, path, body);
        assertThat(reply.status()).as(method + " " + path + " " + reply.body()).isBetween(200, 202);
        assertThat(reply.json().path("success").asBoolean()).as(reply.body()).isTrue();
        return reply.json().get("data");
    }

    JsonNode get(String path) {
        return data("GET", path, "");
    }

    JsonNode post(String path, String body) {
        return data("POST", path, body);
    }

    /** A write of one point. */
    JsonNode value(int channel, int point, String value) {
        return post("/api/channels/" + channel + "/T", "{\"" + point + "\":" + value + "}");
    }

    /** A rule on a telemetry point, with more members behind, such as {@code ,"deadband":2}. */
    JsonNode rule(String id, int channel, int point, String operator, String more) {
        return post("/api/alarm-rules", ruleText(id, channel, point, operator, more));
    }

    static String ruleText(String id, int channel, int point, String operator, String more) {
        return """
        {"id":"%s","source_key":"comsrv:%d:T","field":"%d","operator":"%s","threshold":85%s}\
        """
                .formatted(id, channel, point, operator, more);
    }

    /** The instance of a rule; missing if it has none. */
    JsonNode alarm(String id) {
        Reply reply = send("GET", "/api/alarms/" + id, "");
        assertThat(reply.status()).as(reply.body()).isIn(200, 404);
        return reply.status() == 200
                ? reply.json().get("data")
                : Json.MAPPER.createObjectNode().path("none");
    }

    /** {@code active}, {@code cleared}, or empty where there is no instance. */
    String status(String id) {
        return alarm(id).path("status").asString("");
    }

    /** The types of a rule's events, newest first. */
    List<String> events(String rule) {
        JsonNode data = get("/api/alarm-events?limit=100&rule_id=" + rule);
        return items(data).stream().map(event -> event.get("type").asString()).toList();
    }

    /** The elements of a list, whether it comes in pages or not. */
    static List<JsonNode> items(JsonNode data) {
        return (data.isArray() ? data : data.path("items")).valueStream().toList();
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
