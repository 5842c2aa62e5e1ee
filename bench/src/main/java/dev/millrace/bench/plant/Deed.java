package dev.millrace.bench.plant;

import java.util.List;

/**
 * What is done again and again.
 *
 * @param points in one call
 * @param rules on each of them
 */
record Deed(Way way, int points, int rules) {
    static final int HUNDRED = 100;

    /** Who does it, and how. */
    enum Way {
        PING("GET /api/v1/ping, which does nothing"),
        HUB("the hub"),
        CROSSING("the hub; each write crosses a limit"),
        RAW("(i) HSET of the same fields, raw, pipelined"),
        REPLAY("(ii) the recorded commits, raw, pipelined"),
        FUNCTION("(iii) a hand-written Lua function");

        private final String about;

        Way(String about) {
            this.about = about;
        }

        String about() {
            return about;
        }
    }

    static final Deed PING = new Deed(Way.PING, 1, 0);
    static final Deed CROSSING = new Deed(Way.CROSSING, 1, 1);

    static Deed hub(int points, int rules) {
        return new Deed(Way.HUB, points, rules);
    }

    /** The same points by other means. */
    Deed by(Way other) {
        // A HSET knows no rules.
        return new Deed(other, points, other == Way.RAW ? 0 : rules);
    }

    boolean asksHub() {
        return switch (way) {
            case PING, HUB, CROSSING -> true;
            case RAW, REPLAY, FUNCTION -> false;
        };
    }

    static List<Deed> ofTelemetry() {
        return List.of(
                PING,
                hub(1, 0),
                hub(1, 0).by(Way.RAW),
                hub(1, 0).by(Way.REPLAY),
                hub(HUNDRED, 0),
                hub(HUNDRED, 0).by(Way.RAW),
                hub(HUNDRED, 0).by(Way.REPLAY));
    }

    static List<Deed> ofAlarms() {
        return List.of(
                hub(1, 0),
                hub(1, Field.SOME),
                hub(1, Field.MANY),
                CROSSING,
                hub(1, 0).by(Way.RAW),
                hub(1, Field.SOME).by(Way.REPLAY),
                hub(1, Field.SOME).by(Way.FUNCTION),
                hub(HUNDRED, 0),
                hub(HUNDRED, Field.SOME),
                hub(HUNDRED, Field.MANY),
                hub(HUNDRED, 0).by(Way.RAW),
                hub(HUNDRED, Field.SOME).by(Way.REPLAY),
                hub(HUNDRED, Field.SOME).by(Way.FUNCTION));
    }

    String name() {
        return way == Way.PING || way == Way.CROSSING
                ? way.about()
                : "%s, %s%s".formatted(way.about(), pointsInWords(), rulesInWords());
    }

    private String pointsInWords() {
        return points == 1 ? "1 point" : points + " points";
    }

    private String rulesInWords() {
        return way == Way.RAW || rules == 0
                ? ""
                : rules == 1 ? " with 1 rule" : " with " + rules + " rules each";
    }
}
