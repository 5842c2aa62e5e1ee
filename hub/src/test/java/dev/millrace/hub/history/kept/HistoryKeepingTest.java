package dev.millrace.hub.history.kept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.work.Keep;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.time.Clock;

/** Samples that take too much memory go, the oldest first. */
@OnEachSite
class HistoryKeepingTest {
    private static final long HOUR = 3_600_000;

    @Parameter private Site site;

    @Test
    void the_oldest_hours_go_first_with_all_that_belongs_to_them() {
        SharedServers.flushAll();
        try (TestHub hub =
                TestHub.start(site.url(), "history.record.on=false", "history.rollups.on=false")) {
            long now = System.currentTimeMillis();
            StringBuilder body = new StringBuilder("source,id,field,ts,value\n");
            for (int id = 1; id <= 20; id++) {
                for (int i = 0; i < 100; i++) {
                    long at = now / HOUR * HOUR - (i / 20 + 1) * HOUR + i % 20 * 1000;
                    body.append("comsrv,%d,1,%d,%d\n".formatted(id, at, i));
                }
            }
            hub.send("POST", "/api/history/samples", "text/csv", body.toString().getBytes());
            Keyspace keyspace = hub.keyspace();
            Keeping shelf = new Keeping(keyspace, Clock.systemUTC());
            Keep.Holdings all = shelf.holdings();
            assertThat(all.count()).isEqualTo(2000);
            assertThat(all.bytes()).isBetween(30_000L, 2_000_000L);
            long gone = 0;
            while (gone < 400) {
                gone += shelf.removeOldest(7, Long.MAX_VALUE);
            }
            // The oldest of five hours is gone, and nothing else.
            assertThat(shelf.holdings().count()).isEqualTo(1600);
            SampleReads reads = new SampleReads(keyspace);
            long hour = now / HOUR;
            assertThat(reads.ofHour(hour - 5)).isEmpty();
            assertThat(reads.ofHour(hour - 4)).hasSize(20);
            assertThat(
                            hub.get(
                                            "/api/history/comsrv/1/1?aggregation=count&start=%d"
                                                    .formatted(now - 10 * HOUR))
                                    .json()
                                    .at("/data/samples/0/value")
                                    .asInt())
                    .isEqualTo(80);
            while (shelf.removeOldest(500, Long.MAX_VALUE) > 0) {
                // until there is nothing left
            }
            assertThat(shelf.holdings().count()).isZero();
            assertThat(site.allKeys()).noneMatch(key -> key.contains("history:comsrv:1:1:"));
            assertThat(keyspace.check().run().drift()).isZero();
        }
    }
}
