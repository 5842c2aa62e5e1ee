package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Damage;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.memory.MemoryReport;
import dev.millrace.keyspace.memory.MemoryReport.Earlier;
import dev.millrace.keyspace.memory.MemoryReport.Part;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code memory} as a person runs it, and what it prints. */
class MemoryCommandTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final List<Part> PARTS =
            List.of(
                    new Part("Event", 1_000_004, 180_000_000, 320_000_000),
                    new Part("alarm:events", 1, 12_400, 0),
                    new Part("", 3, 2_000_000_000, 0));

    @TempDir private Path directory;

    @Test
    void the_first_time_there_is_no_growth() {
        assertThat(
                        MemoryText.of(
                                new MemoryReport(NOON, PARTS, 2_600_000_000L, 0, Optional.empty())))
                .isEqualTo(
                        """
                                           keys   values  indexes  together
                        of no layout          3   2.0 GB             2.0 GB
                        Event         1,000,004   180 MB   320 MB    500 MB
                        alarm:events          1  12.4 kB            12.4 kB

                        Together about 2.5 GB of the 2.6 GB that Redis uses; the rest are its own tables and buffers.
                        No maxmemory is set. How fast it grows can be told the next time, in ten minutes or later.
                        """);
    }

    @Test
    void later_there_are_growth_and_the_days_left() {
        Earlier earlier =
                new Earlier(
                        NOON.minusSeconds(43_200),
                        2_500_000_000L,
                        Map.of("Event", 450_000_000L, "alarm:events", 22_400L));
        MemoryReport report =
                new MemoryReport(NOON, PARTS, 2_600_000_000L, 4_000_000_000L, Optional.of(earlier));
        assertThat(MemoryText.of(report))
                .contains(
                        "together     a day\n",
                        "500 MB   +100 MB\n",
                        "12.4 kB  -20.0 kB\n",
                        "It may use 4.0 GB. Since ",
                        "it grows by +200 MB a day; full in 7 days.\n");
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "999,999 B", "1000,1.0 kB", "99949,99.9 kB", "123456,123 kB"})
    void sizes_are_short(long bytes, String words) {
        assertThat(MemoryText.bytes(bytes)).isEqualTo(words);
    }

    @Test
    void it_prints_what_there_is_and_keeps_the_figures() {
        try (TestServer server = TestServer.start("maxmemory 100mb")) {
            try (RawConnection redis = server.connect()) {
                Damage.plant(redis);
            }
            Ended ended = Millrace.run(directory, "memory", "--set", "redis.url=" + server.url());
            assertThat(ended.exit()).isZero();
            assertThat(ended.out())
                    .containsPattern("Event +2 +[0-9]+ B +[0-9]+ B +[0-9]+ B\n")
                    .contains("It may use 105 MB.");
            assertThat(server.command("LLEN", "millrace:memory")).isEqualTo(1L);
            server.command("CONFIG", "SET", "maxmemory", "1mb");
            server.command("DEL", "millrace:memory");
            Ended full = Millrace.inside(directory, "memory", "--set", "redis.url=" + server.url());
            assertThat(full.exit()).isZero();
            assertThat(full.err()).contains("could not be kept");
        }
    }
}
