package dev.millrace.keyspace.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.EngineContract;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.walk.Ticks;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A check goes in small steps, says how far it is, and can be stopped between any two of them. */
@OnEachSite
final class CheckStepsTest extends EngineContract {
    private record Item(String id, String shelf, long at) {}

    private static final Layout<Item> ITEMS =
            Layout.json("item:{id:id}", Item.class)
                    .ownedBy("shelf")
                    .sorted("item", 0)
                    .sorted("item:at", Item::at)
                    .sorted("item:shelf:{shelf}", Item::at);

    private static final int COUNT = 300;
    private static final int STEP = 8;

    CheckStepsTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Keyspace.catalogue(ITEMS);
    }

    /** An hour passes between any two looks at it, so something is told after every step. */
    private static final class Hours implements Ticks {
        private long now;

        @Override
        public long now() {
            now += Duration.ofHours(1).toNanos();
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
        }
    }

    private Check inSmallSteps() {
        Check check = keyspace.check();
        check.step = STEP;
        check.ticks = new Hours();
        return check;
    }

    /** An index with far more entries than a step has, and damage of both directions in it. */
    private Set<String> plantDamage() {
        Set<String> planted = new HashSet<>();
        for (int i = 0; i < COUNT; i++) {
            String id = Shards.mint("top");
            done(keyspace.store(ITEMS).create(new Item(id, "top", i)));
            if (i % 7 == 0) {
                raw("top", "ZREM", "item:at", id);
                planted.add("MISSING_ENTRY " + id);
                String orphan = Shards.mint("top");
                raw("top", "ZADD", "item:shelf:top", "1", orphan);
                planted.add("ORPHAN_ENTRY " + orphan);
            }
        }
        return planted;
    }

    private static List<String> found(CheckReport report) {
        List<String> found = new ArrayList<>();
        for (Finding finding : report.findings()) {
            String id = finding.detail().replaceFirst(".*entry for ([0-9a-f-]+).*", "$1");
            found.add(finding.kind() + " " + id);
        }
        return found;
    }

    @Test
    void in_steps_of_any_size_it_finds_all_damage_once() {
        driftIsExpected();
        Set<String> planted = plantDamage();
        CheckReport whole = keyspace.check().run();
        CheckReport steps = inSmallSteps().run();
        assertThat(found(steps)).containsExactlyInAnyOrderElementsOf(planted);
        assertThat(found(whole)).containsExactlyInAnyOrderElementsOf(planted);
        assertThat(steps.drift()).isEqualTo(planted.size());
        assertThat(steps.values()).isEqualTo(whole.values()).isEqualTo(COUNT);
        assertThat(steps.entries()).isEqualTo(whole.entries());
        assertThat(steps.end()).isEqualTo(CheckReport.End.FINISHED);
    }

    @Test
    void stopped_after_any_step_it_keeps_nothing_and_the_next_one_begins_anew() {
        Set<String> planted = plantDamage();
        long repaired = 0;
        for (int most = 1; most < 60; most += 7) {
            AtomicInteger steps = new AtomicInteger();
            int last = most;
            CheckReport cut =
                    inSmallSteps()
                            .repairing()
                            .stoppedBy(() -> steps.incrementAndGet() >= last)
                            .run();
            assertThat(cut.end()).isEqualTo(CheckReport.End.STOPPED);
            assertThat(cut.left()).isZero();
            repaired += cut.repaired();
        }
        CheckReport rest = inSmallSteps().repairing().run();
        assertThat(rest.left()).isZero();
        assertThat(repaired + rest.repaired()).isEqualTo(planted.size());
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:check"));
    }

    @Test
    void it_says_how_many_keys_it_has_seen_of_all_and_never_goes_backwards() {
        driftIsExpected();
        plantDamage();
        List<CheckProgress> told = new ArrayList<>();
        CheckReport report = inSmallSteps().listener(told::add).run();
        assertThat(told).hasSizeGreaterThan(20);
        assertThat(told).extracting(CheckProgress::done).isSorted();
        assertThat(told.getLast().drift()).isEqualTo(report.drift());
        assertThat(told.getLast().percent()).isBetween(90, 99);
        assertThat(told.getLast().total()).isGreaterThanOrEqualTo(2L * COUNT);
        assertThat(told).anyMatch(each -> each.percent() > 20 && each.percent() < 80);
    }
}
