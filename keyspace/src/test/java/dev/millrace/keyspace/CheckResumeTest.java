package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.CheckReport.End;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A check that is cut short goes on where it was, and misses nothing. */
@OnEachSite
final class CheckResumeTest extends EngineContract {
    /** So small that a small world has many steps. */
    private static final int STEP = 16;

    private static final int EVENTS = 400;

    private final List<String> heard = new ArrayList<>();

    CheckResumeTest(Site site) {
        super(site);
    }

    @Override
    Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    /** The process is gone. */
    private static final class Cut extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final CheckListener listener =
            new CheckListener() {
                @Override
                public void goesOn(Instant began, int percent) {
                    heard.add("goes on");
                }

                @Override
                public void beginsAnew(String why) {
                    heard.add("begins anew: " + why);
                }

                @Override
                public void waits() {
                    heard.add("waits");
                }

                @Override
                public void keepsNoPlace(String why) {
                    heard.add("keeps no place: " + why);
                }
            };

    /** As a new process would start it; between two of its steps hours pass. */
    private Check fsck() {
        Check check = keyspace.check().resumable().listener(listener);
        check.step = STEP;
        check.ticks = new Hours();
        return check;
    }

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

    /** Time that stands still: nothing is kept but when something is found. */
    private static final class NoTime implements Ticks {
        @Override
        public long now() {
            return 0;
        }

        @Override
        public void sleep(long nanos) {}
    }

    /** Ends the process so many steps after the start. */
    private static Runnable cutAfter(int steps) {
        AtomicInteger left = new AtomicInteger(steps);
        return () -> {
            if (left.decrementAndGet() == 0) {
                throw new Cut();
            }
        };
    }

    /** What a killed process cannot do any more is to be waited for; that has passed too. */
    private void wasKilledLongAgo() {
        if (raw(Shards.SITE, "EXISTS", "millrace:check").equals(1L)) {
            raw(Shards.SITE, "HSET", "millrace:check", "seen", "1");
        }
    }

    /** An index with far more entries than a step has, and damage of both directions in it. */
    private Set<String> plantDamage() {
        Set<String> planted = new HashSet<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            String id = Shards.mint("pump");
            ids.add(id);
            done(keyspace.store(Plant.EVENTS).create(new Event(id, "pump", i, 0)));
        }
        for (int i = 0; i < 40; i++) {
            String device = "valve-" + i;
            Event event = new Event(Shards.mint(device), device, i, 0);
            done(keyspace.store(Plant.EVENTS).create(event));
        }
        for (int i = 0; i < EVENTS; i += 7) {
            raw("pump", "ZREM", "event:created", ids.get(i));
            planted.add("MISSING_ENTRY " + ids.get(i));
            String orphan = Shards.mint("pump");
            raw("pump", "ZADD", "event:device:pump", "1", orphan);
            planted.add("ORPHAN_ENTRY " + orphan);
        }
        raw("x", "SET", "nobody:s", "1");
        return planted;
    }

    private static void isAboutThese(Set<String> planted, CheckReport report) {
        List<String> found = new ArrayList<>();
        for (Finding finding : report.findings()) {
            String id = finding.detail().replaceFirst(".*entry for ([0-9a-f-]+).*", "$1");
            found.add(finding.kind() + " " + id);
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(planted);
        assertThat(report.drift()).isEqualTo(planted.size());
        assertThat(report.end()).isEqualTo(End.FINISHED);
    }

    @Test
    void cut_at_every_step_it_finds_all_damage_once_and_counts_as_if_it_had_not_been_cut() {
        driftIsExpected();
        Set<String> planted = plantDamage();
        CheckReport whole = keyspace.check().run();
        int cuts = 0;
        CheckReport report = null;
        while (report == null) {
            wasKilledLongAgo();
            Check check = fsck();
            // The first step of a run is kept, the second is cut.
            check.afterStep = cutAfter(2);
            try {
                report = check.run();
            } catch (Cut e) {
                cuts++;
            }
        }
        assertThat(cuts).isGreaterThan(50);
        isAboutThese(planted, report);
        assertThat(report.values()).isEqualTo(whole.values());
        assertThat(report.entries()).isEqualTo(whole.entries());
        assertThat(report.unknown()).isEqualTo(1);
        assertThat(heard).containsOnly("goes on").hasSize(cuts);
        assertThat(raw(Shards.SITE, "EXISTS", "millrace:check")).isEqualTo(0L);
    }

    @Test
    void cut_long_after_its_place_was_kept_it_repeats_the_steps_since() {
        driftIsExpected();
        Set<String> planted = plantDamage();
        CheckReport report = null;
        for (int steps = 1; report == null; steps += 5) {
            Check check = fsck();
            check.ticks = new NoTime();
            check.afterStep = cutAfter(steps);
            try {
                report = check.run();
            } catch (Cut e) {
                wasKilledLongAgo();
            }
        }
        isAboutThese(planted, report);
    }

    @Test
    void cut_while_repairing_nothing_that_was_repaired_is_forgotten() {
        Set<String> planted = plantDamage();
        raw("x", "DEL", "nobody:s");
        CheckReport report = null;
        while (report == null) {
            wasKilledLongAgo();
            Check check = fsck().repairing();
            AtomicInteger steps = new AtomicInteger();
            // Between two steps, when what the last one has repaired is kept.
            check.stoppedBy(() -> steps.incrementAndGet() == 3);
            CheckReport end = check.run();
            report = end.end() == End.FINISHED ? end : null;
        }
        isAboutThese(planted, report);
        assertThat(report.left()).isZero();
        assertThat(report.repaired()).isEqualTo(planted.size());
        assertThat(heard).contains("goes on");
    }

    @Test
    void one_that_was_stopped_need_not_be_waited_for() {
        plantWithoutDamage();
        AtomicInteger steps = new AtomicInteger();
        Check check = fsck().stoppedBy(() -> steps.incrementAndGet() == 5);
        assertThat(check.run().end()).isEqualTo(End.STOPPED);
        assertThat(fsck().run().end()).isEqualTo(End.FINISHED);
        assertThat(heard).containsExactly("goes on");
    }

    private void plantWithoutDamage() {
        for (int i = 0; i < 50; i++) {
            done(keyspace.store(Plant.EVENTS).create(new Event(Shards.mint("pump"), "pump", i, 0)));
        }
    }

    private void stopAfter(int steps) {
        AtomicInteger done = new AtomicInteger();
        Check check = fsck().stoppedBy(() -> done.incrementAndGet() == steps);
        assertThat(check.run().end()).isEqualTo(End.STOPPED);
    }

    @Test
    void it_begins_anew_when_asked_to_or_when_the_question_is_another() {
        plantWithoutDamage();
        stopAfter(3);
        assertThat(fsck().restarting().run().end()).isEqualTo(End.FINISHED);
        stopAfter(3);
        assertThat(fsck().repairing().run().end()).isEqualTo(End.FINISHED);
        stopAfter(3);
        Keyspace other = new Keyspace(redis, Catalogue.of(Plant.EVENTS));
        assertThat(other.check().resumable().listener(listener).run().end())
                .isEqualTo(End.FINISHED);
        assertThat(heard)
                .containsExactly(
                        "begins anew: that was asked for",
                        "begins anew: it was not repairing",
                        "begins anew: the layouts have changed since");
    }

    @Test
    void a_place_in_another_server_process_is_worth_nothing() {
        plantWithoutDamage();
        stopAfter(3);
        String mark = String.valueOf(raw(Shards.SITE, "HGET", "millrace:check", "mark"));
        String run = mark.replaceFirst(".*?:[0-9]+ ([0-9a-f]{40}).*", "$1");
        assertThat(run).hasSize(40);
        raw(Shards.SITE, "HSET", "millrace:check", "mark", mark.replace(run, "f".repeat(40)));
        assertThat(fsck().run().end()).isEqualTo(End.FINISHED);
        assertThat(heard)
                .containsExactly("begins anew: the server was restarted or slots have moved since");
    }

    @Test
    void a_mark_that_cannot_be_read_is_no_mark() {
        plantWithoutDamage();
        for (String mark : List.of("{}", "nonsense", "{\"at\":null}", "null")) {
            raw(Shards.SITE, "HSET", "millrace:check", "mark", mark, "finding:0", "x");
            assertThat(fsck().run().end()).isEqualTo(End.FINISHED);
            assertThat(raw(Shards.SITE, "EXISTS", "millrace:check")).isEqualTo(0L);
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void a_second_check_is_refused_while_the_first_is_at_work() {
        plantWithoutDamage();
        List<End> second = new ArrayList<>();
        Check first = fsck();
        AtomicInteger step = new AtomicInteger();
        first.afterStep =
                () -> {
                    if (step.incrementAndGet() == 3) {
                        second.add(whileTheOtherMoves());
                    }
                };
        assertThat(first.run().end()).isEqualTo(End.FINISHED);
        assertThat(second).containsExactly(End.BUSY);
    }

    private End whileTheOtherMoves() {
        return fsck().listener(
                        new CheckListener() {
                            @Override
                            public void waits() {
                                raw(Shards.SITE, "HINCRBY", "millrace:check", "seen", "1");
                            }
                        })
                .run()
                .end();
    }

    @Test
    void one_that_was_thought_dead_gives_way() {
        plantWithoutDamage();
        Check first = fsck();
        AtomicInteger step = new AtomicInteger();
        first.afterStep =
                () -> {
                    if (step.incrementAndGet() == 3) {
                        raw(Shards.SITE, "HSET", "millrace:check", "holder", "another");
                    }
                };
        assertThat(first.run().end()).isEqualTo(End.BUSY);
        assertThat(raw(Shards.SITE, "HGET", "millrace:check", "holder")).isEqualTo("another");
    }

    @Test
    void where_its_place_cannot_be_kept_it_goes_on_without() {
        driftIsExpected();
        plantWithoutDamage();
        raw(Shards.SITE, "LPUSH", "millrace:check", "somebody's");
        CheckReport report = fsck().run();
        assertThat(report.end()).isEqualTo(End.FINISHED);
        assertThat(report.found()).isEqualTo(Map.of(Finding.Kind.WRONG_TYPE, 1L));
        assertThat(heard).hasSize(1).first().asString().startsWith("keeps no place");
        assertThat(raw(Shards.SITE, "LLEN", "millrace:check")).isEqualTo(1L);
    }

    @Test
    void a_mark_that_nobody_comes_back_for_goes_after_a_day() {
        plantWithoutDamage();
        stopAfter(3);
        assertThat((Long) raw(Shards.SITE, "PTTL", "millrace:check"))
                .isBetween(1L, Duration.ofDays(1).toMillis());
    }

    @Test
    void it_says_how_far_it_is_now_and_then_and_never_backwards() {
        plantDamage();
        driftIsExpected();
        List<CheckProgress> told = new ArrayList<>();
        Check check =
                fsck().listener(
                                new CheckListener() {
                                    @Override
                                    public void progress(CheckProgress progress) {
                                        told.add(progress);
                                    }
                                });
        CheckReport report = check.run();
        assertThat(told).hasSizeGreaterThan(20);
        assertThat(told).extracting(CheckProgress::done).isSorted();
        assertThat(told.getLast().drift()).isEqualTo(report.drift());
        assertThat(told.getLast().percent()).isBetween(90, 99);
        CheckProgress half = told.get(told.size() / 2);
        assertThat(half.percent()).isBetween(20, 80);
        told.clear();
        Check quick = fsck().listener(check.listener);
        quick.ticks = new NoTime();
        quick.run();
        assertThat(told).isEmpty();
    }
}
