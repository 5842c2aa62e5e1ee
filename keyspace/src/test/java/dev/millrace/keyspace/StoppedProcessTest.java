package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.testing.ChildJvm;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A process that stands still, as in a long collection of garbage or on a suspended machine, while
 * another takes over what it had; then it goes on, and does not know. What a lease and a claim
 * promise between two processes, on a single server and on a cluster.
 */
@EnabledOnOs(OS.LINUX)
@OnEachSite
final class StoppedProcessTest extends EngineContract {
    private static final Logger log = LoggerFactory.getLogger(StoppedProcessTest.class);
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 2;
    private static final int ITEMS = 100;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Map<String, Integer> heard = new ConcurrentHashMap<>();
    private ChildJvm first;

    StoppedProcessTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void startTheFirst() {
        first =
                ChildJvm.start(
                        StoppedProcess.class,
                        news -> heard.merge(news, 1, Integer::sum),
                        site.url());
        assertThat(first.answer()).isEqualTo("ready");
    }

    @AfterEach
    void endTheFirst() {
        first.close();
    }

    private int heard(String news) {
        return heard.getOrDefault(news, 0);
    }

    private int heardOfAll() {
        return heard.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void a_holder_stopped_past_its_lease_changes_nothing_when_it_goes_on() {
        Lease second = keyspace.lease("sender", "second", LONG);
        for (int round = 1; round <= ROUNDS; round++) {
            first.ask("hold");
            int before = heard("done");
            awaitHeard("done", before + 300);
            first.pause();
            await().atMost(LONG).until(second::take);
            StoppedProcess.OWNERS.forEach(owner -> append(owner, second));
            List<List<String>> seen = logs();
            int heardOf = heardOfAll();
            int refused = heard("not CONFLICT");
            first.resume();
            // More than it had in its hands: of those some may have been done before it stopped.
            await().atMost(LONG).until(() -> heardOfAll() > heardOf + 2 * StoppedProcess.ALL_HANDS);
            assertThat(logs()).isEqualTo(seen);
            assertThat(heard("not CONFLICT")).isGreaterThan(refused + StoppedProcess.ALL_HANDS);
            StoppedProcess.OWNERS.forEach(owner -> append(owner, second));
            first.ask("let go");
            for (List<String> entries : logs()) {
                List<String> last = entries.subList(entries.indexOf("second"), entries.size());
                assertThat(last).containsExactly("second", "second");
            }
            second.release();
            StoppedProcess.OWNERS.forEach(owner -> raw(owner, "DEL", Plant.QUEUE.at(owner).key()));
        }
        assertThat(heard.keySet()).containsExactlyInAnyOrder("done", "not CONFLICT");
        log.info("Holders stopped: site={} rounds={} commits={}", site, ROUNDS, heard);
    }

    private void append(String owner, Lease lease) {
        done(
                keyspace.commit(owner)
                        .append(Plant.QUEUE.at(owner), "second".getBytes(UTF_8), 1_000_000)
                        .with(lease.guard())
                        .run());
    }

    private List<List<String>> logs() {
        List<List<String>> logs = new ArrayList<>();
        for (String owner : StoppedProcess.OWNERS) {
            Object entries = raw(owner, "LRANGE", Plant.QUEUE.at(owner).key(), "0", "-1");
            logs.add(((List<?>) List.class.cast(entries)).stream().map(String::valueOf).toList());
        }
        return logs;
    }

    @Test
    void a_worker_stopped_past_its_claims_ends_nothing_that_another_has_claimed() {
        for (int round = 1; round <= ROUNDS; round++) {
            putItems(round);
            first.ask("claim");
            first.pause();
            // It finds this in its hands when it wakes.
            first.tell("finish");
            List<Schedule.Claim> second = claimAll();
            finish(second.subList(0, ITEMS / 2));
            first.resume();
            assertThat(first.answer()).isEqualTo("finish");
            finish(second.subList(ITEMS / 2, ITEMS));
            eachIsDoneOnce(round);
        }
        assertThat(heard)
                .isEqualTo(
                        Map.of(
                                "not ABSENT",
                                ROUNDS * ITEMS / 2,
                                "not CONFLICT",
                                ROUNDS * ITEMS / 2));
    }

    @Test
    void a_worker_stopped_at_its_work_and_another_do_each_item_once() {
        int finished = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            putItems(round);
            first.ask("claim");
            int before = heard("done");
            first.tell("finish");
            awaitHeard("done", before + 1);
            first.pause();
            while (keyspace.schedule("jobs").size() > 0) {
                for (Schedule.Claim claim : keyspace.schedule("jobs").claim(ITEMS, LONG)) {
                    finish(List.of(claim));
                    finished++;
                }
            }
            first.resume();
            assertThat(first.answer()).isEqualTo("finish");
            eachIsDoneOnce(round);
        }
        assertThat(heard("done") + finished).isEqualTo(ROUNDS * ITEMS);
        log.info("Workers stopped: site={} first={} second={}", site, heard, finished);
    }

    private void putItems(int round) {
        for (String id : items(round)) {
            done(
                    keyspace.commit(id)
                            .with(keyspace.schedule("jobs").item(id, 1, new byte[0]))
                            .run());
        }
    }

    private static List<String> items(int round) {
        List<String> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            items.add("item" + round + "-" + i);
        }
        return items;
    }

    /** Waits for the end of the other's claims, all of which were made at about the same time. */
    private List<Schedule.Claim> claimAll() {
        List<Schedule.Claim> claims = new ArrayList<>();
        await().atMost(LONG)
                .until(
                        () -> {
                            claims.addAll(keyspace.schedule("jobs").claim(ITEMS, LONG));
                            return claims.size() == ITEMS;
                        });
        return claims;
    }

    private static void finish(List<Schedule.Claim> claims) {
        for (Schedule.Claim claim : claims) {
            done(
                    claim.commit()
                            .increment(Plant.COUNTER.at(claim.id()), 1)
                            .with(claim.done())
                            .run());
        }
    }

    private void eachIsDoneOnce(int round) {
        assertThat(keyspace.schedule("jobs").size()).isZero();
        for (String id : items(round)) {
            assertThat(raw(id, "GET", Plant.COUNTER.at(id).key())).isEqualTo("1");
        }
    }

    private void awaitHeard(String news, int count) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> heard(news) >= count);
    }
}
