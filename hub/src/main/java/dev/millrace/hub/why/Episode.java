package dev.millrace.hub.why;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One time that an alarm was raised. Its id is the slug of the notification about it too.
 *
 * @param alarm the id of the alarm, which is that of its rule
 * @param number the how-manieth time
 */
public record Episode(String alarm, long number) {
    private static final Pattern ID = Pattern.compile("alarm-(.{1,128})-([0-9]{1,15})");

    public static String id(String alarm, long number) {
        return "alarm-" + alarm + "-" + number;
    }

    public String id() {
        return id(alarm, number);
    }

    public static Optional<Episode> of(String id) {
        Matcher parts = ID.matcher(id);
        return parts.matches()
                ? Optional.of(new Episode(parts.group(1), Long.parseLong(parts.group(2))))
                : Optional.empty();
    }
}
