package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** The form of the log, as the settings want it. */
class LogFormatTest {
    @TempDir private Path directory;

    @Test
    void json_is_one_object_a_line() throws Exception {
        try (Millrace hub =
                Millrace.start(directory, "run", "--set", "log.format=json").awaitReady()) {
            Millrace.Ended ended = hub.terminate().end();
            assertThat(ended.exit()).isZero();
            assertThat(ended.err().lines().toList()).hasSizeGreaterThan(3);
            for (String line : ended.err().lines().toList()) {
                JsonNode fields = Json.MAPPER.readTree(line);
                assertThat(fields.propertyNames())
                        .contains("time", "level", "logger", "thread", "message");
            }
        }
    }

    /** With this level nothing is logged; who wants to see only that must not miss it. */
    @Test
    void what_ends_the_process_is_printed_at_the_level_fatal() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Millrace hub =
                        Millrace.start(
                                directory,
                                "run",
                                "--set",
                                "pubsub.logging.category={'*': FATAL}",
                                "--set",
                                "http.port=" + taken.getLocalPort())) {
            Millrace.Ended ended = hub.end();
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.err().lines().toList().getLast())
                    .startsWith("millrace: Cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void a_higher_level_says_less() throws Exception {
        try (Millrace hub =
                Millrace.start(directory, "run", "--set", "log.level=error").awaitReady()) {
            Millrace.Ended ended = hub.terminate().end();
            assertThat(ended.err()).isEmpty();
        }
    }
}
