package dev.millrace.bench.history;

/** What is asked. */
enum Question {
    DAY("a day of one point, a sample each second, as 1000 values", 30),
    YEAR("a year of one point, as hours", 20),
    WEEK("ten series of a week, as 1000 values each", 150);

    private final String about;
    private final int mostMillis;

    Question(String about, int mostMillis) {
        this.about = about;
        this.mostMillis = mostMillis;
    }

    String about() {
        return about;
    }

    /** What the answer may take. */
    int mostMillis() {
        return mostMillis;
    }
}
