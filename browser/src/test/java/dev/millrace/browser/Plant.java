package dev.millrace.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** What devices and engineers do by HTTP while somebody looks at a page. */
final class Plant implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;
    private final String token;
    private final List<String> rules = new ArrayList<>();

    /**
     * At this hub.
     *
     * @param token of an engineer; empty where none is needed
     */
    Plant(String url, String token) {
        this.url = url;
        this.token = token;
    }

    /** Of the first channel: an alarm is raised by a value above the limit. */
    void rule(String id, int point, int limit, String level, String title) {
        rules.add(id);
        send(
                "PUT",
                "/api/alarm-rules/" + id,
                """
                {"source_key":"comsrv:1:T","field":"%d","threshold":%d,"alarm_level":"%s","alarm_title":"%s"}\
                """
                        .formatted(point, limit, level, title));
    }

    /** Without the rules there are no alarms of theirs either. */
    void forgetRules() {
        rules.forEach(id -> send("DELETE", "/api/alarm-rules/" + id, ""));
        rules.clear();
    }

    /** Sends values of the first channel, such as {@code "101":86.2}. */
    void values(String values) {
        send("POST", "/api/channels/1/T", "{" + values + "}");
    }

    String alarm(String id) {
        return send("GET", "/api/alarms/" + id, "");
    }

    String send(String method, String path, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
