package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** What the services of EdgeX have in common, and how they refuse. */
class EdgexApiTest {
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        hub = TestHub.start(SharedServers.standalone());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void it_answers_a_ping() {
        Reply reply = hub.get("/api/v1/ping");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("pong");
        assertThat(reply.header("content-type")).startsWith("text/plain");
    }

    @Test
    void it_says_its_version() {
        Reply reply = hub.get("/api/version");
        assertThat(reply.body()).isEqualTo("{\"version\":\"%s\"}\n".formatted(Hub.version()));
        assertThat(reply.header("content-type")).isEqualTo("application/json");
    }

    @Test
    void its_configuration_has_the_sections_of_both_services_and_says_how_it_runs() {
        JsonNode config = hub.get("/api/v1/config").json();
        assertThat(config.propertyNames())
                .containsExactly(
                        "Writable",
                        "Service",
                        "Databases",
                        "Clients",
                        "Logging",
                        "Registry",
                        "SecretStore",
                        "Startup",
                        "MessageQueue",
                        "Smtp");
        assertThat(hub.hub().url()).endsWith(":" + config.at("/Service/Port").asInt());
        assertThat(config.at("/Databases/Primary/Port").asInt())
                .isEqualTo(SharedServers.standalone().port());
        assertThat(config.at("/Databases/Primary/Password").asString()).isEmpty();
        assertThat(config.at("/Writable/LogLevel").asString()).isEqualTo("INFO");
        assertThat(config.at("/Writable/PersistData").asBoolean()).isTrue();
        assertThat(config.at("/Writable/ValidateCheck").isBoolean()).isTrue();
        assertThat(config.at("/Writable/ValidateCheck").asBoolean()).isFalse();
        assertThat(config.at("/Writable/ChecksumAlgo").asString()).isEqualTo("xxHash");
        assertThat(config.at("/Service/MaxResultCount").asInt()).isEqualTo(50000);
        assertThat(config.at("/Writable/ResendLimit").asInt()).isEqualTo(2);
        assertThat(config.at("/Smtp/Port").asInt()).isEqualTo(587);
        assertThat(config.at("/Smtp/Password").asString()).isEmpty();
    }

    @Test
    void a_password_is_not_in_it() {
        try (TestServer server = TestServer.start("requirepass verysecret");
                TestHub guarded =
                        TestHub.start(
                                "redis://:verysecret@127.0.0.1:" + server.port(),
                                "readings.metadata.url=https://gateway",
                                "notifications.smtp.host=mail.example",
                                "notifications.smtp.password=alsosecret")) {
            Reply reply = guarded.get("/api/v1/config");
            assertThat(reply.body()).doesNotContain("verysecret", "alsosecret");
            assertThat(reply.json().at("/Smtp/Password").asString()).isEqualTo("***");
            assertThat(reply.json().at("/Databases/Primary/Password").asString()).isEqualTo("***");
            assertThat(reply.json().at("/Clients/Metadata/Port").asInt()).isEqualTo(443);
        }
    }

    @Test
    void its_metrics_are_those_of_the_process() {
        JsonNode metrics = hub.get("/api/v1/metrics").json();
        assertThat(metrics.propertyNames()).containsExactly("Memory", "CpuBusyAvg");
        assertThat(metrics.get("Memory").propertyNames())
                .containsExactly("Alloc", "TotalAlloc", "Sys", "Mallocs", "Frees", "LiveObjects");
        assertThat(metrics.at("/Memory/Alloc").asLong()).isPositive();
        assertThat(metrics.at("/Memory/Sys").asLong())
                .isGreaterThanOrEqualTo(metrics.at("/Memory/Alloc").asLong());
        assertThat(hub.get("/api/v1/metrics").json().at("/Memory/TotalAlloc").asLong())
                .isGreaterThan(metrics.at("/Memory/TotalAlloc").asLong());
        assertThat(metrics.get("CpuBusyAvg").asDouble()).isBetween(0.0, 100.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/ping", "/api/v1/config", "/api/v1/metrics", "/api/version"})
    void a_wrong_method_is_refused_with_nothing_but_a_type(String path) {
        Reply reply = hub.send("PATCH", path, "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.header("content-type")).startsWith("text/plain");
    }

    @Test
    void a_path_that_is_not_there_is_not_found_in_the_words_of_the_reference() {
        for (String path :
                List.of(
                        "/api/v1/nothing",
                        "/api/v1/notification/new/many",
                        "/api/v1/event/device/x/many")) {
            Reply reply = hub.get(path);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.body()).as(path).isEqualTo("404 page not found\n");
            assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        }
    }
}
