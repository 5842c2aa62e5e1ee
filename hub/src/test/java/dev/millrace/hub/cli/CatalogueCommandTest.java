package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Damage;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code catalogue} as a person runs it, and the page that is made with it. */
class CatalogueCommandTest {
    @TempDir private Path directory;

    @Test
    void without_a_redis_it_prints_the_layouts() {
        assertThat(Millrace.run(directory, "catalogue"))
                .isEqualTo(new Ended(0, KeyReference.markdown(), ""));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void the_page_in_the_documentation_is_what_it_prints() throws IOException {
        assertThat(Files.readString(Path.of("../docs/keys.md")))
                .as("after a change of layouts: ./millrace catalogue --no-count > docs/keys.md")
                .isEqualTo(KeyReference.markdown());
    }

    @Test
    void with_a_redis_it_counts_the_keys_there() {
        SharedServers.flushAll();
        TestServer server = SharedServers.standalone();
        try (RawConnection redis = server.connect()) {
            Damage.plant(redis);
        }
        server.command("HSET", "comsrv:1:T", "101", "85.5");
        server.command("HSET", "comsrv:2:T", "101", "85.5");
        server.command("SET", "somebody:elses", "1");
        Ended ended = Millrace.inside(directory, "catalogue", "--set", "redis.url=" + server.url());
        assertThat(ended.exit()).isZero();
        assertThat(ended.out())
                .isEqualTo(
                        KeyReference.markdown()
                                + """

                                ## Keys found

                                In redis://127.0.0.1:%d: 6 keys.

                                | Keys | Data Type  | Key                             | Of      |
                                | ---- | ---------- | ------------------------------- | ------- |
                                | 1    | String     | `{id:id}`                       | Event   |
                                | 1    | Sorted set | `event`                         | Event   |
                                | 1    | Sorted set | `reading:created`               | Reading |
                                | 2    | Hash       | `comsrv:{channel_id:channel}:T` |         |

                                1 key belongs to no layout: somebody:elses
                                """
                                        .formatted(server.port()));
    }

    @Test
    void a_redis_that_cannot_be_reached_ends_with_2_unless_nothing_is_to_be_counted() {
        TestServer server = TestServer.start();
        server.close();
        String setting = "redis.url=" + server.url();
        Ended ended = Millrace.inside(directory, "catalogue", "--set", setting);
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("cannot be reached");
        assertThat(Millrace.inside(directory, "catalogue", "--no-count", "--set", setting))
                .isEqualTo(new Ended(0, KeyReference.markdown(), ""));
    }
}
