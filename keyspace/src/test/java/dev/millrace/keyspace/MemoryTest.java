package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.memory.MemoryReport;
import dev.millrace.keyspace.memory.MemoryReport.Part;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What takes the memory, by samples, and how fast it grows. */
@OnEachSite
final class MemoryTest extends EngineContract {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    MemoryTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private MemoryReport measure(Instant at) {
        return keyspace.memory(Pace.FULL, at, seen -> {});
    }

    private static Part part(MemoryReport report, String name) {
        return report.parts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void create(int count, String device) {
        for (int i = 0; i < count; i++) {
            done(
                    keyspace.store(Plant.EVENTS)
                            .create(new Event(Shards.mint(device), device, 1000 + i, 0)));
        }
    }

    /** What the server itself says of every key of a layout. */
    private long sizeOf(String... keys) {
        long sum = 0;
        for (String key : keys) {
            sum += (Long) site.command(key, "MEMORY", "USAGE", key);
        }
        return sum;
    }

    @Test
    void where_there_are_few_keys_all_of_them_are_measured() {
        create(20, "pump");
        raw("x", "SET", "somebody:elses", "x".repeat(5000));
        keyspace.commit("n").set(Plant.COUNTER.at("n"), "1").run().orThrow();
        MemoryReport report = measure(NOON);
        Part events = part(report, "Event");
        assertThat(events.keys()).isEqualTo(20 + 3);
        assertThat(events.indexes())
                .isEqualTo(
                        sizeOf(
                                fullKey("pump", "event"),
                                fullKey("pump", "event:created"),
                                fullKey("pump", "event:device:pump")));
        String[] values =
                allKeys().stream()
                        .filter(key -> key.matches("(\\{.*})?[0-9a-f-]{36}"))
                        .toArray(String[]::new);
        assertThat(values).hasSize(20);
        assertThat(events.values()).isEqualTo(sizeOf(values));
        assertThat(part(report, "counter:{name:name}").values())
                .isEqualTo(sizeOf(fullKey("n", "counter:n")));
        assertThat(part(report, "").values()).isGreaterThan(5000);
        assertThat(report.used()).isGreaterThan(report.bytes());
        assertThat(report.max()).isZero();
        assertThat(report.before()).isEmpty();
    }

    @Test
    void where_there_are_many_the_estimate_is_near() {
        for (int i = 0; i < 2000; i++) {
            String name = "n" + i;
            raw(name, "SET", "counter:" + name, "x".repeat(i % 2 == 0 ? 100 : 900));
        }
        long exact = 0;
        for (int i = 0; i < 2000; i++) {
            exact += sizeOf(fullKey("n" + i, "counter:n" + i));
        }
        Part counters = part(measure(NOON), "counter:{name:name}");
        assertThat(counters.keys()).isEqualTo(2000);
        // Six standard errors of a sample of 256: sizes differ by 40 % from their mean.
        assertThat((double) counters.values()).isBetween(exact * 0.7, exact * 1.3);
    }

    @Test
    void the_growth_is_told_against_the_last_measurement_that_is_old_enough() {
        create(10, "pump");
        MemoryReport first = measure(NOON);
        done(keyspace.remember(first));
        create(30, "pump");
        MemoryReport soon = measure(NOON.plus(Duration.ofMinutes(9)));
        assertThat(soon.before()).isEmpty();
        done(keyspace.remember(soon));
        assertThat(raw(Declaration.SITE, "LLEN", "millrace:memory")).isEqualTo(1L);

        MemoryReport later = measure(NOON.plus(Duration.ofHours(12)));
        assertThat(later.before().map(MemoryReport.Earlier::at)).contains(NOON);
        long grown = part(later, "Event").bytes() - part(first, "Event").bytes();
        assertThat(grown).isPositive();
        assertThat(later.growth(part(later, "Event"))).hasValue(2 * grown);
        assertThat(later.growth()).hasValue(2 * (later.used() - first.used()));
        done(keyspace.remember(later));
        assertThat(raw(Declaration.SITE, "LLEN", "millrace:memory")).isEqualTo(2L);
    }

    @Test
    void the_list_of_measurements_is_bounded_and_strange_lines_in_it_are_passed_over() {
        for (int day = 0; day < 70; day++) {
            done(
                    keyspace.remember(
                            new MemoryReport(
                                    NOON.plus(Duration.ofDays(day)),
                                    List.of(),
                                    day,
                                    0,
                                    Optional.empty())));
        }
        assertThat(raw(Declaration.SITE, "LLEN", "millrace:memory")).isEqualTo(60L);
        raw(Declaration.SITE, "LPUSH", "millrace:memory", "nonsense");
        assertThat(measure(NOON.plus(Duration.ofDays(80))).before().map(MemoryReport.Earlier::used))
                .contains(69L);
    }
}
