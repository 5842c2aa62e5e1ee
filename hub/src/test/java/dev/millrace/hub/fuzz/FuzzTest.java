package dev.millrace.hub.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Whatever anybody sends, in whatever protocol: the hub answers or hangs up, tells nothing about
 * how it is made, and serves everybody else as before. What is sent comes from a seed, so a fault
 * can be seen again; it says with which properties. Short in {@code test}; {@code --full} sends two
 * hundred thousand requests and packets and says how much memory that took.
 */
class FuzzTest {
    private static final Plan PLAN = Plan.fromProperties();

    /** The memory is looked at each time another part of so many has been sent. */
    private static final int PARTS = 4;

    /** Before anything is compared, everything has been used a little. */
    private static final long WARM_UP_SEED = 77;

    private static final int WARM_UP_PART = 20;

    @TempDir private Path directory;

    private final Faults faults = new Faults();
    private final Map<String, Integer> warnings = new ConcurrentSkipListMap<>();
    private final Judge judge = new Judge(faults);
    private final List<Long> resident = Collections.synchronizedList(new ArrayList<>());

    @Test
    void a_hub_serves_the_honest_as_before_whatever_the_others_send() throws Exception {
        judge.whenSent(this::lookAtMemory);
        for (Target.Mode mode : Target.Mode.values()) {
            attack(mode);
            if (!faults.none()) {
                // Most of what comes behind a fault is a consequence of it, and takes long.
                break;
            }
        }
        System.out.println(closingLine());
        System.out.println("fuzz: warnings in the log " + warnings);
        assertThat(faults.none()).as("%s", faults).isTrue();
    }

    private void attack(Target.Mode mode) throws Exception {
        int modes = Target.Mode.values().length;
        try (TestServer redis = TestServer.start();
                Target target = new Target(redis.url(), mode, directory.resolve(mode.name()));
                ErrorLines errors = new ErrorLines(faults, warnings)) {
            assertThat(errors.isStarted()).isTrue();
            Attack attack = new Attack(target, judge, PLAN);
            Afterwards afterwards = new Afterwards(target);
            attack.prepare();
            afterwards.everything(faults);
            Map<String, Double> gauges = attack.gauges();
            if (PLAN.only().isEmpty()) {
                attack.run(WARM_UP_SEED, modes, WARM_UP_PART);
            }
            Attack.Before before = new Attack.Before(gauges, Vitals.threads());
            for (long seed : PLAN.seeds()) {
                attack.run(seed, modes, 1);
                attack.nothingIsLeft(before);
                afterwards.everything(faults);
            }
        }
    }

    private void lookAtMemory() {
        synchronized (resident) {
            while (resident.size() <= PARTS
                    && judge.all() * PARTS >= (long) PLAN.sent() * resident.size()) {
                resident.add(Vitals.residentMegabytes());
            }
        }
    }

    private String closingLine() {
        List<String> memory = new ArrayList<>();
        for (int i = 0; i < resident.size(); i++) {
            memory.add(
                    i == 0
                            ? resident.get(i) + " MB at start"
                            : "%d at %d %%".formatted(resident.get(i), i * 100 / PARTS));
        }
        return ("fuzz: %d sent (http %d, malformed %d, mqtt %d, websocket %d, early closes %d),"
                        + " 5xx %d, 503 %d, answers by status %s, resident %s")
                .formatted(
                        judge.all(),
                        judge.sent(Kind.HTTP),
                        judge.sent(Kind.MALFORMED),
                        judge.sent(Kind.MQTT),
                        judge.sent(Kind.WEBSOCKET),
                        judge.sent(Kind.EARLY),
                        judge.serverErrors(),
                        judge.answered(503),
                        judge.statuses(),
                        String.join(", ", memory));
    }
}
