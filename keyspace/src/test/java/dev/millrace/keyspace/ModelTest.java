package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random writes by concurrent writers, compared with a plain Java model: each outcome as it comes,
 * and in the end every key, every page and every count. {@code -Dmillrace.seed=…} repeats a run as
 * far as threads can be repeated; {@code ./millrace test --full} runs longer.
 */
@OnEachSite
final class ModelTest extends EngineContract {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    ModelTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private void withSeed(Runnable test) {
        try {
            test.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dmillrace.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void concurrent_writers_leave_exactly_what_the_model_says() {
        withSeed(
                () -> {
                    ModelRun run = new ModelRun(keyspace, site, 8, seed);
                    run.write(FULL ? 20_000 : 300);
                    run.compare();
                });
    }

    @Test
    void a_check_beside_concurrent_writers_finds_nothing() {
        AtomicInteger checks = new AtomicInteger();
        withSeed(
                () -> {
                    ModelRun run = new ModelRun(keyspace, site, 4, seed);
                    run.write(
                            FULL ? 5_000 : 200,
                            () -> {
                                CheckReport report = keyspace.check().run();
                                assertThat(report.findings()).isEmpty();
                                assertThat(report.unknown()).isZero();
                                checks.incrementAndGet();
                            });
                    run.compare();
                });
        assertThat(checks).hasPositiveValue();
    }

    @Test
    void repairs_beside_concurrent_writers_mend_all_damage_and_undo_nothing() {
        AtomicLong repaired = new AtomicLong();
        withSeed(
                () -> {
                    ModelRun run = new ModelRun(keyspace, site, 4, seed);
                    ModelDamage damage = new ModelDamage(keyspace, seed);
                    run.write(20);
                    for (int i = 0; i < 200; i++) {
                        damage.plant();
                    }
                    run.write(
                            FULL ? 5_000 : 200,
                            () -> repaired.addAndGet(keyspace.check().repairing().run().repaired()),
                            damage::plant);
                    repaired.addAndGet(keyspace.check().repairing().run().repaired());
                    run.compare();
                });
        assertThat(repaired).hasPositiveValue();
    }
}
