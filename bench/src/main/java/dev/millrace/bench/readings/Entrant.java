package dev.millrace.bench.readings;

/** Who takes turns. */
enum Entrant {
    SINGLE("a", "POST /api/v1/event, one event of 2 readings each"),
    PARSE("b", "the same, as often a second, to a path that reads it and stores nothing"),
    BULK("c", "POST /api/v1/events, many events in one request"),
    CEILING("d", "the ceiling: the commits of (c), recorded, sent to Redis by a raw client"),
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
}
