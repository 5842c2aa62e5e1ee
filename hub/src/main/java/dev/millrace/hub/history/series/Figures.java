package dev.millrace.hub.history.series;

import dev.millrace.hub.ems.NumberText;

/**
 * What is known of the numbers of some time, when the numbers themselves are not looked at.
 *
 * @param at when that time begins, in ms
 */
public record Figures(
        long at, double min, double max, double sum, long count, double first, double last) {

    private static final String[] NAMES = {
        "{\"min\":",
        ",\"max\":",
        ",\"avg\":",
        ",\"sum\":",
        ",\"count\":",
        ",\"first\":",
        ",\"last\":"
    };

    /** Of one number. */
    public static Figures of(long at, double number) {
        return new Figures(at, number, number, number, 1, number, number);
    }

    /** These, and then those of the time that follows. */
    public Figures and(Figures next) {
        return new Figures(
                at,
                Math.min(min, next.min),
                Math.max(max, next.max),
                sum + next.sum,
                count + next.count,
                first,
                next.last);
    }

    /** These of a time that begins earlier. */
    public Figures from(long start) {
        return new Figures(start, min, max, sum, count, first, last);
    }

    /** As it stands in a sorted set: an object, and the time. */
    public String member() {
        double[] numbers = {min, max, sum / count, sum, count, first, last};
        StringBuilder out = new StringBuilder(128);
        for (int i = 0; i < NAMES.length; i++) {
            out.append(NAMES[i]).append(NumberText.shortest(numbers[i]));
        }
        return out.append("}:").append(at).toString();
    }

    /**
     * Reads a member.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Figures read(String member) {
        int end = member.lastIndexOf("}:");
        if (end < 0) {
            throw new IllegalArgumentException("This is not a roll-up: " + member);
        }
        double[] numbers = new double[NAMES.length];
        int place = 0;
        for (int i = 0; i < NAMES.length; i++) {
            if (!member.startsWith(NAMES[i], place)) {
                throw new IllegalArgumentException("This is not a roll-up: " + member);
            }
            int from = place + NAMES[i].length();
            int to = i + 1 < NAMES.length ? member.indexOf(',', from) : end;
            if (to < from || to > end) {
                throw new IllegalArgumentException("This is not a roll-up: " + member);
            }
            numbers[i] = Decimals.parse(member.substring(from, to));
            place = to;
        }
        return new Figures(
                Long.parseLong(member, end + 2, member.length(), 10),
                numbers[0],
                numbers[1],
                numbers[3],
                (long) numbers[4],
                numbers[5],
                numbers[6]);
    }
}
