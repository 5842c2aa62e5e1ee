package dev.millrace.bench.readings;

/** Who takes turns. */
enum Entrant {
    SINGLE("a", "POST /api/v1/event, one event of 2 readings each"),
    NO_BROKER("a2", "the same without a broker"),
    LISTENED("a3", "the same with one listener by MQTT, who hears of every event"),
    PARSE("b", "as (a), as often a second, to a path that reads it and stores nothing"),
    BULK("c", "POST /api/v1/events, many events in one request"),
    TRANSACTIONS("d1", "the ceiling: MULTI, one plain command for each key, EXEC"),
    COMMANDS("d2", "the ceiling without EXEC: one plain command for each key"),
    FAST_PARSE("e", "(b) as often as it goes");

    private final String letter;
    private final String about;

    Entrant(String letter, String about) {
        this.letter = letter;
        this.about = about;
    }

    String letter() {
        return letter;
    }

    String about() {
        return about;
    }

    /** Whether it goes to the hub, and not to Redis. */
    boolean asksHub() {
        return this != TRANSACTIONS && this != COMMANDS;
    }

    boolean stores() {
        return this != PARSE && this != FAST_PARSE;
    }
}
