package dev.millrace.bench.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rules that look at every value and never act: ten for each point, half of them a condition, half
 * an expression. They are stored as others store rules, by SET and SADD, and taken up by the hub.
 */
final class Population {
    static final int OF_A_POINT = 10;
    static final int POINTS = 100;

    /** So many formulas are different in more than their numbers. */
    static final int SHAPES = 20;

    private static final int FIRST = 2;
    private static final int AT_ONCE = 500;
    private static final int LOOK_MILLIS = 100;
    private static final int MOST_LOOKS = 3000;
    private static final Pattern RUNNING =
            Pattern.compile("(?m)^millrace_rules_running(?:\\{[^}]*})? ([0-9.]+)$");

    private final WholeHub hub;
    private final RaceServer redis;
    private final int channels;

    Population(WholeHub hub, RaceServer redis, int rules) {
        this.hub = hub;
        this.redis = redis;
        this.channels = Math.max(1, Math.ceilDiv(rules, OF_A_POINT * POINTS));
    }

    /** What the heap grows by for each. */
    record Bytes(double ofConditions, double ofExpressions) {}

    /** How many channels have rules; as many behind them have none. */
    int channels() {
        return channels;
    }

    int count() {
        return channels * POINTS * OF_A_POINT;
    }

    /** Stores all of them, and waits until the hub runs them. */
    Bytes create() throws Exception {
        // What is looked at is known before, and what the first rule loads is not a rule's.
        int alone = 2 * channels + 1;
        for (int channel = 1; channel <= alone; channel++) {
            HttpLoad.each(hub.address(), List.of(write(channel, 0)));
        }
        store(condition(alone, 1, "first"), expression(alone, 2, "second"));
        awaitRunning(FIRST);
        hub.settle();
        long before = hub.heap();
        storeAll(true);
        awaitRunning(FIRST + count() / 2);
        hub.settle();
        long between = hub.heap();
        storeAll(false);
        awaitRunning(FIRST + count());
        hub.settle();
        long after = hub.heap();
        double half = count() / 2.0;
        return new Bytes((between - before) / half, (after - between) / half);
    }

    /** One more, beside all others. */
    void add(String rule) throws Exception {
        store(rule);
        awaitRunning(FIRST + count() + 1);
    }

    private void storeAll(boolean conditions) {
        int number = 0;
        for (int channel = 1; channel <= channels; channel++) {
            List<String> rules = new ArrayList<>();
            for (int point = 1; point <= POINTS; point++) {
                for (int i = 0; i < OF_A_POINT / 2; i++) {
                    String id = "%s%d".formatted(conditions ? "c" : "e", number++);
                    rules.add(
                            conditions
                                    ? condition(channel, point, id)
                                    : expression(channel, point, id));
                }
            }
            store(rules.toArray(String[]::new));
        }
    }

    private static String condition(int channel, int point, String id) {
        return """
        {"id":"%s","trigger":"data_change","condition":{"type":"threshold","source":"comsrv:%d:T","field":"%d",\
        "operator":">","threshold":1000000},"actions":[{"type":"log","message":"too high"}]}\
        """
                .formatted(id, channel, point);
    }

    /** Of a few shapes, as a plant has them, each with numbers of its own. */
    private static String expression(int channel, int point, String id) {
        String more = " + x".repeat(point % SHAPES);
        return """
        {"id":"%s","trigger":"data_change","inputs":{"x":"comsrv:%d:T:%d"},"condition":"x * 2%s > 1%06d && x > 10",\
        "actions":[{"type":"log","message":"too high"}]}\
        """
                .formatted(id, channel, point, more, channel * POINTS + point);
    }

    private void store(String... rules) {
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            List<byte[][]> commands = new ArrayList<>();
            for (String rule : rules) {
                String id = rule.substring(7, rule.indexOf('"', 7));
                commands.add(words("SET", "rule:" + id, rule));
                commands.add(words("SADD", "rule:index", id));
                if (commands.size() >= AT_ONCE) {
                    connection.pipeline(commands);
                    commands.clear();
                }
            }
            connection.pipeline(commands);
        }
    }

    static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(UTF_8);
        }
        return bytes;
    }

    /** The values of all points of a channel; in two turns that follow each other all differ. */
    byte[] write(int channel, int turn) {
        StringBuilder body = new StringBuilder("{");
        for (int point = 1; point <= POINTS; point++) {
            body.append(point == 1 ? "" : ",")
                    .append('"')
                    .append(point)
                    .append("\":")
                    .append((turn * 31 + point * 7) % 1000)
                    .append(".5");
        }
        return hub.address().post("/api/channels/" + channel + "/T", body.append('}').toString());
    }

    private void awaitRunning(int wanted) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest metrics = HttpRequest.newBuilder(hub.address().url("/metrics")).build();
            for (int look = 0; look < MOST_LOOKS; look++) {
                Matcher running =
                        RUNNING.matcher(client.send(metrics, BodyHandlers.ofString()).body());
                if (running.find() && Double.parseDouble(running.group(1)) >= wanted) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
        throw new IllegalStateException("The hub does not take up %d rules.".formatted(wanted));
    }
}
