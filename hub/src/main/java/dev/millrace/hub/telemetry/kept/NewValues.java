package dev.millrace.hub.telemetry.kept;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Values that somebody has sent for one source, in the order in which they came; side by side in
 * arrays, because writing them is what this room does most.
 */
public final class NewValues {
    private String[] fields = new String[16];
    private String[] texts = new String[16];
    private double[] numbers = new double[16];
    private long[] ids = new long[16];
    private int count;
    private boolean ascending = true;
    private final List<Rejected> rejected = new ArrayList<>(0);
    private long timestamp;
    private Optional<String> quality = Optional.empty();

    /** A point that cannot be stored, and why. */
    public record Rejected(String point, String reason) {}

    void add(String field, long id, String text, double number) {
        if (count == fields.length) {
            int room = count * 2;
            fields = Arrays.copyOf(fields, room);
            texts = Arrays.copyOf(texts, room);
            numbers = Arrays.copyOf(numbers, room);
            ids = Arrays.copyOf(ids, room);
        }
        ascending &= count == 0 || ids[count - 1] < id;
        fields[count] = field;
        texts[count] = text;
        numbers[count] = number;
        ids[count++] = id;
    }

    void reject(String point, String reason) {
        rejected.add(new Rejected(point, reason));
    }

    /** None yet, of what was measured at this time. */
    public static NewValues measuredAt(long millis) {
        NewValues values = new NewValues();
        values.at(millis);
        return values;
    }

    /**
     * Adds a value that a device has.
     *
     * @param point its number
     * @param text as it is stored
     * @param number finite
     */
    public void measured(String point, String text, double number) {
        add(point, PointIds.point(point), text, number);
    }

    void at(long millis) {
        timestamp = millis;
    }

    void quality(String word) {
        quality = Optional.of(word);
    }

    void forgetRejected() {
        rejected.clear();
    }

    /** A point that was sent twice. */
    Optional<String> twice() {
        if (ascending) {
            return Optional.empty();
        }
        long[] sorted = Arrays.copyOf(ids, count);
        Arrays.sort(sorted);
        for (int i = 1; i < count; i++) {
            if (sorted[i] == sorted[i - 1]) {
                return Optional.of(Long.toString(sorted[i]));
            }
        }
        return Optional.empty();
    }

    public int count() {
        return count;
    }

    /** How many were sent, also those that cannot be stored. */
    public int sent() {
        return count + rejected.size();
    }

    public String field(int i) {
        return fields[i];
    }

    public String text(int i) {
        return texts[i];
    }

    public double number(int i) {
        return numbers[i];
    }

    public List<Rejected> rejected() {
        return rejected;
    }

    /** When they were measured, in ms since 1970; 0 if the sender does not say. */
    public long timestamp() {
        return timestamp;
    }

    /** How the sender says they are, in a word. */
    public Optional<String> quality() {
        return quality;
    }
}
