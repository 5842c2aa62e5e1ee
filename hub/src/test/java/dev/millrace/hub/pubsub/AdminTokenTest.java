package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The token of admins that is made where none is configured. */
class AdminTokenTest {
    private static final Pattern TOKEN = Pattern.compile("/admin: ([0-9a-f]{32})\\R");
    private static final Pattern JSON_TOKEN =
            Pattern.compile("(?m)^\\{\"notice\":\"admin-token\",.*\"token\":\"([0-9a-f]{32})\"}$");

    @Test
    void it_is_printed_and_not_logged_and_another_at_each_start() throws Exception {
        String first = tokenThatWorks(TOKEN);
        assertThat(tokenThatWorks(TOKEN)).isNotEqualTo(first);
    }

    @Test
    void it_is_an_object_where_the_log_consists_of_such() throws Exception {
        tokenThatWorks(JSON_TOKEN, "log.format=json");
    }

    private static String tokenThatWorks(Pattern pattern, String... settings) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (TestHub hub = TestHub.start(SharedServers.standalone().url(), settings);
                HttpClient client = HttpClient.newHttpClient()) {
            Matcher token = pattern.matcher(printed.toString(StandardCharsets.UTF_8));
            assertThat(token.find()).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
            String found = token.group(1);
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            hub.url() + "/admin/log/level?category=x&level=INFO"))
                            .header("Authorization", "Bearer " + found)
                            .PUT(HttpRequest.BodyPublishers.noBody())
                            .build();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
            assertThat(hub.get("/ops/log?lines=1000").body())
                    .contains("lines")
                    .doesNotContain(found);
            return found;
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void none_is_made_where_one_is_configured() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (TestHub hub =
                TestHub.start(
                        SharedServers.standalone().url(), "pubsub.admin.auth.bearer=[sesame]")) {
            assertThat(hub.get("/probe/liveness").status()).isEqualTo(200);
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("/admin:");
    }
}
