package dev.millrace.bench.plant;

import dev.millrace.bench.race.Address;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The points of a plant. With no rules, with one and with ten for each point there are channels of
 * their own, so that one hub can show all three in one run.
 *
 * @param channels without rules
 * @param points of every channel
 * @param rules in all, half of them alone on their point and half with nine others
 */
record Field(int channels, int points, int rules) {
    /** How the keys of values begin. */
    static final String VALUES = "comsrv:";

    /**
     * As long, and nobody listens there: what others write under the keys of the plant is noticed
     * by the hub, which would then take part in their turns.
     */
    static final String UNHEARD = "benchs:";

    static final int SOME = 1;
    static final int MANY = 10;

    /** No value of the race gets there. */
    private static final int LIMIT = 1_000_000;

    /** The largest value there is; it never crosses the limit. */
    private static final int LARGEST = 1000;

    /** The numbers of the channels whose points have so many rules each. */
    List<Integer> channelsWith(int rulesOfAPoint) {
        int from =
                switch (rulesOfAPoint) {
                    case 0 -> 1;
                    case SOME -> channels + 1;
                    default -> channels + 1 + half(SOME);
                };
        int count = rulesOfAPoint == 0 ? channels : half(rulesOfAPoint);
        return IntStream.range(from, from + count).boxed().toList();
    }

    /** How many channels it takes for half of the rules. */
    private int half(int rulesOfAPoint) {
        return rules == 0 ? 0 : Math.max(1, rules / 2 / rulesOfAPoint / points);
    }

    int channelsInAll() {
        return channels + half(SOME) + half(MANY);
    }

    /** The rules there really are. */
    int rulesInAll() {
        return (half(SOME) + half(MANY) * MANY) * points;
    }

    /** Requests that create all rules. */
    List<byte[]> ruleRequests(Address hub) {
        List<byte[]> requests = new ArrayList<>();
        for (int rules : new int[] {SOME, MANY}) {
            for (int channel : channelsWith(rules)) {
                for (int point = 1; point <= points; point++) {
                    for (int i = 0; i < rules; i++) {
                        requests.add(hub.put(rulePath(channel, point, i), rule(channel, point, i)));
                    }
                }
            }
        }
        return requests;
    }

    private static String rulePath(int channel, int point, int i) {
        return "/api/alarm-rules/r_%d_%d_%d".formatted(channel, point, i);
    }

    private static String rule(int channel, int point, int i) {
        return ruleOf(channel, point, LIMIT + i);
    }

    static String ruleOf(int channel, int point, int limit) {
        return "{\"source_key\":\"comsrv:%d:T\",\"field\":\"%d\",\"operator\":\">\",\"threshold\":%d}"
                .formatted(channel, point, limit);
    }

    /** So many points of a channel that belong together, the same again after some turns. */
    List<Integer> pointsOf(int turn, int count) {
        return IntStream.range(0, count).map(i -> (turn + i) % points + 1).boxed().toList();
    }

    static String value(int turn, int point) {
        return (turn * 31 + point * 7) % LARGEST + ".5";
    }

    /** A write as a body of JSON. */
    static String body(int turn, List<Integer> some) {
        return some.stream()
                .map(point -> "\"" + point + "\":" + value(turn, point))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
