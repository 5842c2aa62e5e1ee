package dev.millrace.hub.fuzz;

import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One round of everything that the plan wants, all kinds at the same time, on one hub. */
final class Attack {
    /** Pools grow a little with what is asked of them; a leak would be hundreds. */
    private static final int THREADS_MORE = 30;

    private static final int GENEROUS_SECONDS = Target.PATIENCE_MILLIS / 1000;

    private final Target target;
    private final Judge judge;
    private final Plan plan;
    private final Calls calls;

    Attack(Target target, Judge judge, Plan plan) {
        this.target = target;
        this.judge = judge;
        this.plan = plan;
        this.calls = new Calls(target);
    }

    /** Makes what some of the attackers want to meet. */
    void prepare() {
        calls.send("PUT", "/channel/wc/subscription/polling/wu", "");
        calls.send("PUT", "/channel/wc/message/m", "{\"x\":1}");
    }

    /** Sends, for each client, so many of everything. */
    void run(long seed, int modes, int part) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int client = 0; client < kind.clients; client++) {
                int number = client;
                int most = count(kind, modes) / part;
                clients.add(
                        Thread.ofVirtual()
                                .name("fuzz-" + kind.word() + "-" + client)
                                .start(() -> run(seed, kind, number, most)));
            }
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    private int count(Kind kind, int modes) {
        int share = plan.share(kind, modes);
        if (kind != Kind.EARLY) {
            return share;
        }
        EarlyAttacker early = new EarlyAttacker(target, judge, kind.clients);
        return Math.max(share, (early.places() + early.often()) / kind.clients + 1);
    }

    private void run(long seed, Kind kind, int client, int most) {
        try (Attacker attacker = attacker(kind)) {
            int step = 0;
            for (int sent = 0; sent < most && !judge.faults.tooSilent(); step++) {
                if (plan.wants(kind, client, step)) {
                    Faults.Place place = new Faults.Place(seed, kind, client, step);
                    int count = attacker.step(new Dice(seed, kind, client, step), place);
                    judge.sent(kind, count);
                    sent += count;
                } else {
                    sent++;
                }
            }
        } catch (RuntimeException e) {
            judge.faults.add("the attacker itself failed", kind + " " + e);
        }
    }

    private Attacker attacker(Kind kind) {
        return switch (kind) {
            case HTTP -> new HttpAttacker(target, judge);
            case MALFORMED -> new MalformedAttacker(target, judge);
            case MQTT -> new MqttAttacker(target, judge);
            case WEBSOCKET -> new WebsocketAttacker(target, judge);
            case EARLY -> new EarlyAttacker(target, judge, kind.clients);
        };
    }

    // ---------------------------------------------------------------- nothing is left

    /**
     * What was there before.
     *
     * @param gauges of a hub that nobody had harmed yet
     * @param threads of one that had been used, since pools grow with that
     */
    record Before(Map<String, Double> gauges, Map<String, Integer> threads) {}

    /** Of a hub that nobody has harmed yet. */
    Map<String, Double> gauges() {
        return quietGauges(Map.of());
    }

    /** Waits until two looks agree, or until they agree with what is wanted. */
    private Map<String, Double> quietGauges(Map<String, Double> wanted) {
        List<Map<String, Double>> last = new ArrayList<>(List.of(wanted));
        try {
            await().atMost(GENEROUS_SECONDS, SECONDS)
                    .pollInterval(1, SECONDS)
                    .until(
                            () -> {
                                Map<String, Double> seen = Vitals.gauges(calls);
                                boolean same = same(last.getFirst(), seen);
                                if (wanted.isEmpty()) {
                                    last.set(0, seen);
                                }
                                return same;
                            });
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            // Said by whoever compares.
        }
        return Vitals.gauges(calls);
    }

    /** Connections of the hub to its broker begin when they are first used, and stay. */
    private static boolean same(Map<String, Double> before, Map<String, Double> after) {
        return before.size() == after.size()
                && before.entrySet().stream()
                        .allMatch(
                                each -> {
                                    double now = after.getOrDefault(each.getKey(), -1.0);
                                    return each.getKey().equals("millrace_mqtt_connected")
                                            ? now >= each.getValue()
                                            : now == each.getValue();
                                });
    }

    /** Compares, and waits for what takes its time to go. */
    void nothingIsLeft(Before before) {
        Map<String, Double> gauges = quietGauges(before.gauges());
        if (!same(before.gauges(), gauges)) {
            judge.faults.add(
                    "gauges are not back",
                    "before %s, after %s".formatted(before.gauges(), gauges));
        }
        Map<String, Integer> more = new TreeMap<>();
        try {
            await().atMost(GENEROUS_SECONDS, SECONDS)
                    .pollInterval(1, SECONDS)
                    .until(
                            () -> {
                                more.clear();
                                Vitals.threads()
                                        .forEach(
                                                (name, count) -> {
                                                    int was =
                                                            before.threads().getOrDefault(name, 0);
                                                    if (count > was) {
                                                        more.put(name, count - was);
                                                    }
                                                });
                                return more.values().stream().mapToInt(each -> each).sum()
                                        <= THREADS_MORE;
                            });
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            judge.faults.add("threads are left", more.toString());
        }
    }
}
