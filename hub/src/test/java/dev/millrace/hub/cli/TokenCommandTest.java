package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code token} as a person runs it. */
class TokenCommandTest {
    @TempDir private Path directory;

    @BeforeEach
    void empty() {
        SharedServers.flushAll();
    }

    private Ended token(String... words) {
        List<String> arguments = new ArrayList<>(List.of("token"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of("--set", "redis.url=" + SharedServers.standalone().url()));
        return Millrace.run(directory, arguments.toArray(String[]::new));
    }

    @Test
    void the_secret_alone_goes_to_standard_output_and_is_never_shown_again() {
        Ended made =
                token(
                        "create",
                        "grafana",
                        "--role",
                        "viewer",
                        "--scope",
                        "documents/brewery",
                        "--scope",
                        "alarms",
                        "--expires",
                        "90d");
        assertThat(made.exit()).isZero();
        assertThat(made.out()).matches("mr_[a-z0-9]{8}_[0-9A-Za-z]{36}\n");
        String secret = made.out().strip();
        String id = secret.split("_", -1)[1];
        assertThat(made.err())
                .doesNotContain(secret.substring(12))
                .contains("made the token grafana with the id " + id)
                .contains("viewer, documents/brewery, alarms, expires ");

        Ended list = token("list");
        assertThat(list.exit()).isZero();
        assertThat(list.out())
                .containsPattern(id + " +grafana +viewer +documents/brewery, alarms +")
                .doesNotContain(secret.substring(12));

        Ended twice = token("create", "grafana", "--role", "admin");
        assertThat(twice.exit()).isEqualTo(1);
        assertThat(twice.out()).isEmpty();
        assertThat(twice.err()).contains("There is a token grafana already, with the id " + id);

        Ended revoked = token("revoke", id);
        assertThat(revoked.exit()).isZero();
        assertThat(revoked.err()).isEqualTo("millrace: revoked the token grafana.\n");
        assertThat(token("revoke", id).exit()).isEqualTo(1);
        assertThat(token("list").out()).startsWith("There are no tokens");
    }

    @Test
    void the_first_token_can_be_made_before_the_first_start() {
        assertThat(Millrace.inside(directory, "token", "list").out())
                .startsWith("There are no tokens");
        assertThat(Millrace.inside(directory, "token", "revoke", "abcdefgh").exit()).isEqualTo(1);
        assertThat(directory).isEmptyDirectory();
        Ended made = Millrace.run(directory, "token", "create", "first", "--role", "admin");
        assertThat(made.exit()).isZero();
        assertThat(made.out()).matches("mr_\\w{45}\n");
        assertThat(Millrace.run(directory, "token", "list").out()).contains("first", "admin");
    }

    /** Somebody in the wrong directory would make a token that no hub knows. */
    @Test
    void whether_a_hub_runs_on_these_data_is_told() throws Exception {
        Ended made = Millrace.run(directory, "token", "create", "first", "--role", "admin");
        assertThat(made.err()).contains("a new store begins", "data.dir=" + directory);
        Ended listed = Millrace.run(directory, "token", "list");
        assertThat(listed.err()).contains("No hub is running on these data", "data.dir=");
        try (Millrace hub = Millrace.start(directory, "run").awaitReady()) {
            assertThat(Millrace.run(directory, "token", "list").err())
                    .doesNotContain("No hub is running");
            hub.terminate().end();
        }
    }

    @Test
    void what_is_wrong_is_said_in_a_sentence() {
        Ended role = token("create", "x", "--role", "root");
        assertThat(role.exit()).isEqualTo(2);
        assertThat(role.err())
                .contains("'root' is not a valid role; use viewer, operator, engineer or admin.");
        Ended scope = token("create", "x", "--role", "viewer", "--scope", "documents/*");
        assertThat(scope.exit()).isEqualTo(2);
        assertThat(scope.err()).contains("'documents/*' is not a valid scope");
        Ended room = token("create", "x", "--role", "viewer", "--scope", "docs/x");
        assertThat(room.exit()).isEqualTo(2);
        assertThat(room.err()).contains("'docs' is not a room; the rooms are access, alarms,");
        Ended time = token("create", "x", "--role", "viewer", "--expires", "soon");
        assertThat(time.exit()).isEqualTo(2);
        assertThat(time.err()).contains("'soon' is not a valid time; write 30m, 12h or 90d.");
        Ended name = token("create", "a\nb", "--role", "viewer");
        assertThat(name.exit()).isEqualTo(1);
        assertThat(name.err()).contains("The name of a token is 1 to 64 letters");
        Ended nothing = Millrace.run(directory, "token");
        assertThat(nothing.exit()).isEqualTo(2);
        assertThat(nothing.err()).contains("create, list or revoke");
    }

    @Test
    void a_redis_that_cannot_be_reached_ends_with_2() {
        TestServer server = TestServer.start();
        server.close();
        Ended ended =
                Millrace.inside(
                        directory,
                        "token",
                        "create",
                        "x",
                        "--role",
                        "viewer",
                        "--set",
                        "redis.url=" + server.url());
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("cannot be reached");
    }
}
