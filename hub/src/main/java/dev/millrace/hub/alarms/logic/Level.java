package dev.millrace.hub.alarms.logic;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How bad it is, the worst first. */
public enum Level {
    CRITICAL("Critical", 5),
    MAJOR("Major", 4),
    MINOR("Minor", 3),
    WARNING("Warning", 2),
    INFO("Info", 1);

    private final String word;
    private final int rank;

    Level(String word, int rank) {
        this.word = word;
        this.rank = rank;
    }

    /** As it is stored. */
    public String word() {
        return word;
    }

    public int rank() {
        return rank;
    }

    /** The level of this name, however it is capitalised. */
    public static Optional<Level> of(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(each -> each.word.toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst();
    }
}
