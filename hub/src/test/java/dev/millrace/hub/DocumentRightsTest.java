package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Optional;

/** A token that is limited to a namespace sees and writes the documents in it, and no others. */
class DocumentRightsTest {
    private static final String ROOT = "/history/datastore/";

    private static TestHub hub;
    private static String all;
    private static String brewery;
    private static String looking;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        SharedServers.standalone(), "access.mode=token", "mqtt.embedded.port=off");
        all = hub.token("all", Role.OPERATOR);
        brewery = hub.token("brewery", Role.OPERATOR, Scope.parse("documents/brewery"));
        looking = hub.token("looking", Role.VIEWER, Scope.parse("documents/brewery:tanks"));
        assertThat(
                        post(
                                        all,
                                        "mset",
                                        "{\"values\":[{\"namespace\":\"brewery\",\"id\":\"1\"},"
                                                + "{\"namespace\":\"brewery:tanks\",\"id\":\"2\"},"
                                                + "{\"namespace\":\"brewery-2\",\"id\":\"3\"},"
                                                + "{\"namespace\":\"\",\"id\":\"brewery\"}]}")
                                .status())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static Reply post(String token, String call, String body) {
        return hub.send("POST", ROOT + call, body, Optional.of(token));
    }

    private static int seen(String token, String query) {
        return post(token, "mget", query).json().get("values").size();
    }

    @Test
    void it_reads_only_what_is_its_own() {
        assertThat(seen(all, "{\"namespace\":\"\"}")).isEqualTo(4);
        assertThat(seen(brewery, "{\"namespace\":\"\"}")).isEqualTo(2);
        assertThat(seen(looking, "{\"namespace\":\"\",\"filter\":\"*2*\"}")).isEqualTo(1);
        assertThat(
                        seen(
                                looking,
                                "{\"namespace\":\"\",\"ids\":[\"brewery:1\",\"brewery:tanks:2\"]}"))
                .isEqualTo(1);
        assertThat(post(brewery, "get", "{\"namespace\":\"brewery-2\",\"id\":\"3\"}").body())
                .isEqualTo("{\"value\":null}");
        assertThat(post(brewery, "get", "{\"namespace\":\"\",\"id\":\"brewery:tanks:2\"}").body())
                .contains("\"2\"");
        assertThat(hub.send("GET", ROOT + "export", "", Optional.of(looking)).body().lines())
                .hasSize(1);
        Reply changes =
                hub.send("GET", ROOT + "changes?since=" + place(), "", Optional.of(looking));
        assertThat(changes.body()).contains("brewery:tanks").doesNotContain("brewery-2", "\"1\"");
    }

    /** The beginning of all. */
    private static String place() {
        Reply now = hub.send("GET", ROOT + "changes", "", Optional.of(all));
        return dev.millrace.keyspace.feed.FeedCursor.parse(now.json().get("next").asString())
                .behind(0, 0)
                .text();
    }

    @Test
    void it_writes_only_what_is_its_own() {
        Reply refused =
                post(
                        brewery,
                        "mset",
                        "{\"values\":[{\"namespace\":\"brewery\",\"id\":\"9\"},"
                                + "{\"namespace\":\"other\",\"id\":\"9\"}]}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("detail").asString()).contains("other:9");
        assertThat(post(brewery, "get", "{\"namespace\":\"brewery\",\"id\":\"9\"}").body())
                .isEqualTo("{\"value\":null}");
        assertThat(post(brewery, "delete", "{\"namespace\":\"\",\"id\":\"brewery\"}").status())
                .isEqualTo(403);
        assertThat(
                        post(
                                        brewery,
                                        "set",
                                        "{\"value\":{\"namespace\":\"brewery:new\",\"id\":\"1\"}}")
                                .status())
                .isEqualTo(200);
        assertThat(post(brewery, "mdelete", "{\"namespace\":\"\",\"filter\":\"*new*\"}").body())
                .isEqualTo("{\"count\":1}");
        assertThat(
                        post(
                                        looking,
                                        "set",
                                        "{\"value\":{\"namespace\":\"brewery:tanks\",\"id\":\"2\"}}")
                                .status())
                .isEqualTo(403);
    }
}
