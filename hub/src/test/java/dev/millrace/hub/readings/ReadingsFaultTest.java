package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Redis is away, or full: the answer says so, and is never an empty success. */
class ReadingsFaultTest {
    private static final String EVENT =
            "{\"device\":\"pump\",\"readings\":[{\"name\":\"a\",\"value\":\"1\"}]}";
    private static final String READING =
            "{\"id\":\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\",\"name\":\"a\",\"value\":\"1\"}";
    private static final String ID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

    private record Asked(String method, String path, String body) {}

    private static final List<Asked> ALL =
            List.of(
                    new Asked("POST", "event", EVENT),
                    new Asked("PUT", "event", "{\"id\":\"" + ID + "\",\"device\":\"pump\"}"),
                    new Asked("PUT", "event/id/" + ID, ""),
                    new Asked("PUT", "event/checksum/abc", ""),
                    new Asked("GET", "event", ""),
                    new Asked("GET", "event/count", ""),
                    new Asked("GET", "event/" + ID, ""),
                    new Asked("GET", "event/device/pump/5", ""),
                    new Asked("GET", "event/1/2/5", ""),
                    new Asked("DELETE", "event/id/" + ID, ""),
                    new Asked("DELETE", "event/device/pump", ""),
                    new Asked("DELETE", "event/removeold/age/1", ""),
                    new Asked("DELETE", "event/scrub", ""),
                    new Asked("DELETE", "event/scruball", ""),
                    new Asked("POST", "reading", READING),
                    new Asked("PUT", "reading", READING),
                    new Asked("GET", "reading", ""),
                    new Asked("GET", "reading/" + ID, ""),
                    new Asked("GET", "reading/name/a/device/pump/5", ""),
                    new Asked("DELETE", "reading/id/" + ID, ""));

    /** All at once, because each waits for a while in the hope that Redis comes back. */
    @Test
    void without_redis_everything_is_unavailable() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT)) {
            server.kill();
            List<CompletableFuture<Reply>> replies =
                    ALL.stream()
                            .map(
                                    asked ->
                                            CompletableFuture.supplyAsync(
                                                    () ->
                                                            hub.send(
                                                                    asked.method,
                                                                    "/api/v1/" + asked.path,
                                                                    asked.body),
                                                    Thread::startVirtualThread))
                            .toList();
            for (int i = 0; i < ALL.size(); i++) {
                Reply reply = replies.get(i).join();
                assertThat(reply.status()).as(ALL.get(i) + ": " + reply.body()).isEqualTo(503);
                assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
                assertThat(reply.body()).endsWith("\n");
            }
        }
    }

    @Test
    void a_full_server_takes_no_event_and_can_still_be_emptied() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url())) {
            assertThat(hub.send("POST", "/api/v1/event", EVENT).status()).isEqualTo(200);
            server.command("CONFIG", "SET", "maxmemory", "1");
            Reply full = hub.send("POST", "/api/v1/event", EVENT);
            assertThat(full.status()).as(full.body()).isEqualTo(503);
            assertThat(hub.get("/api/v1/event/count").body()).isEqualTo("1");
            assertThat(hub.send("DELETE", "/api/v1/event/device/pump", "").body()).isEqualTo("1");
            assertThat(hub.get("/api/v1/reading/count").body()).isEqualTo("0");
        }
    }
}
