package dev.millrace.hub.why;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a record says of where it comes from.
 *
 * @param cause the id of what began it all: {@code v-…} a value, {@code c-…} or {@code m-…} a call,
 *     {@code t-…} a moment; empty if that is not known
 * @param from the id of the part that led here; empty if the cause itself did
 */
public record Origin(String cause, String from) {
    /** Nobody has said. */
    public static final Origin UNKNOWN = new Origin("", "");

    /** When, in digits of base 36, and what makes it the only one. */
    private static final Pattern MADE_HERE = Pattern.compile("[vct]-([0-9a-z]{1,9})-[0-9a-z]{6}");

    /** Shard, number and time of a fact. */
    private static final Pattern OF_A_FACT =
            Pattern.compile("[vao]-[0-9]{1,3}-[0-9]{1,19}-([0-9]{1,15})");

    private static final Pattern OF_A_MOMENT = Pattern.compile("t-([0-9]{1,15})-.{1,128}");
    private static final Pattern OF_A_RUN = Pattern.compile("m-[0-9a-f-]{36}|c-.{1,200}");
    private static final int BASE = Character.MAX_RADIX;
    private static final long SMALLEST = 60_466_176;

    /** A value that was written just now. */
    public static Origin ofValue(long millis) {
        return new Origin(made("v-", millis), "");
    }

    /** Somebody asked for it just now. */
    public static Origin ofCall(long millis) {
        return new Origin(made("c-", millis), "");
    }

    /** A time has come. */
    public static Origin ofMoment(long millis) {
        return new Origin(made("t-", millis), "");
    }

    private static String made(String kind, long millis) {
        long random = ThreadLocalRandom.current().nextLong(SMALLEST, SMALLEST * BASE);
        return kind + Long.toString(millis, BASE) + "-" + Long.toString(random, BASE);
    }

    /** What this part leads to. */
    public Origin through(String part) {
        return new Origin(cause, part);
    }

    public boolean isKnown() {
        return !cause.isEmpty();
    }

    /** What the id of a cause is one of; empty if it is not the id of a cause. */
    static Optional<Kind> kind(String cause) {
        if (MADE_HERE.matcher(cause).matches()
                || OF_A_FACT.matcher(cause).matches()
                || OF_A_MOMENT.matcher(cause).matches()
                || OF_A_RUN.matcher(cause).matches()) {
            return Optional.of(
                    switch (cause.charAt(0)) {
                        case 'v', 'a', 'o' -> Kind.VALUE;
                        case 't' -> Kind.MOMENT;
                        default -> Kind.CALL;
                    });
        }
        return Optional.empty();
    }

    /** When it was, as far as the id of a cause says so. */
    static Optional<Instant> at(String cause) {
        Matcher made = MADE_HERE.matcher(cause);
        if (made.matches()) {
            return Optional.of(Instant.ofEpochMilli(Long.parseLong(made.group(1), BASE)));
        }
        Matcher fact = OF_A_FACT.matcher(cause);
        Matcher moment = OF_A_MOMENT.matcher(cause);
        if (fact.matches()) {
            return Optional.of(Instant.ofEpochMilli(Long.parseLong(fact.group(1))));
        }
        return moment.matches()
                ? Optional.of(Instant.ofEpochMilli(Long.parseLong(moment.group(1))))
                : Optional.empty();
    }
}
