package dev.millrace.hub.settings;

import java.util.ArrayList;
import java.util.List;

/** Settings as people read them. */
public final class SettingsText {
    private static final int WIDTH = 100;

    /** A longer value pushes its source aside instead of all others. */
    private static final int MOST_PADDED = 48;

    private static final String HEAD =
            """
            # millrace.yaml: every setting, with its default. Printed by ./millrace check --example.
            #
            # Take the # from a line to change it. Millrace reads millrace.yaml in the directory it is started in, or the
            # file named by --config or MILLRACE_CONFIG. What counts more: the environment (MILLRACE_HTTP_PORT), and most of
            # all the command line (--set http.port=8081). ./millrace check says what counts and where it comes from.
            #
            # A name with dots is the same as groups inside each other:
            #
            #     http:
            #       port: 8081
            #
            # Times are written 250ms, 30s, 5m, 1h, 2d. Sizes are written 16KiB, 512MiB, 4GiB; kb, mb and gb are the same, so
            # 1kb is 1024 bytes. Lists: [one, two]. Files are sought from the directory Millrace is started in.
            """;

    private SettingsText() {}

    /** Each setting with its value and where it comes from. */
    public static String table(Keys keys, Values values) {
        int name = keys.all().stream().mapToInt(key -> key.name().length()).max().orElse(0);
        int value =
                keys.all().stream().mapToInt(key -> value(key, values).length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Key<?> key : keys.all()) {
            text.append(
                    "%s  %s  %s%n"
                            .formatted(
                                    padded(key.name(), name),
                                    padded(value(key, values), Math.min(value, MOST_PADDED)),
                                    values.origin(key)));
        }
        return text.toString();
    }

    private static String value(Key<?> key, Values values) {
        String shown = values.shown(key);
        return shown.isEmpty() ? "(%s)".formatted(key.emptyMeans()) : shown;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** A file with all settings, commented out. */
    public static String example(Keys keys) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Keys.Group group : keys.groups()) {
            text.append("\n# --- %s ---\n".formatted(group.about()));
            for (Key<?> key : group.keys()) {
                text.append('\n');
                String means =
                        key.standard().isEmpty() ? " Empty: %s.".formatted(key.emptyMeans()) : "";
                String about = key.about();
                about = Character.toUpperCase(about.charAt(0)) + about.substring(1) + "." + means;
                wrapped(about).forEach(line -> text.append("# ").append(line).append('\n'));
                text.append("#%s: %s\n".formatted(key.name(), standard(key)));
            }
        }
        return text.toString();
    }

    private static String standard(Key<?> key) {
        if (!key.standard().isEmpty()) {
            return key.standard();
        }
        return switch (key.kind().form()) {
            case ONE -> "\"\"";
            case LIST -> "[]";
            case MAP, TREE -> "{}";
        };
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() >= WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
