package dev.millrace.hub.shop.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The database that is there when nobody names one. */
class OnBoardTest {
    @TempDir private Path directory;

    @Test
    void it_is_filled_if_that_is_wanted_and_keeps_what_it_has() {
        SharedServers.standalone();
        SharedServers.flushAll();
        String data = "data.dir=" + directory;
        try (TestHub hub = TestHub.start(SharedServers.standalone().url(), data)) {
            assertThat(directory).isEmptyDirectory();
            assertThat(hub.get("/shop/rows/inv/273").status()).isEqualTo(404);
        }
        SharedServers.flushAll();
        for (int start = 1; start <= 2; start++) {
            try (TestHub hub =
                    TestHub.start(SharedServers.standalone().url(), data, "shop.demo=true")) {
                assertThat(hub.get("/shop/rows/inv/273").json().get("qty").asInt()).isEqualTo(629);
                assertThat(hub.get("/shop/rows/inv/237").status()).isEqualTo(200);
                assertThat(hub.get("/shop/rows/inv/40").status()).isEqualTo(200);
                assertThat(hub.get("/shop/rows/inv/41").status()).isEqualTo(404);
                assertThat(SharedServers.standalone().command("GET", "inv:273"))
                        .isEqualTo(
                                "{\"id\":273,\"name\":\"GTab 7inch\",\"description\":\"A tablet for"
                                        + " every day.\",\"qty\":629,\"price\":187.00}");
            }
            SharedServers.flushAll();
        }
    }
}
