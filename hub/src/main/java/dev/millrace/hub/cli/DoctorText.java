package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.doctor.Doctor.Advice;
import dev.millrace.keyspace.doctor.Doctor.Level;

import java.util.ArrayList;
import java.util.List;

/** What the doctor found, for a person: server by server, and what to type. */
final class DoctorText {
    private DoctorText() {}

    static String of(List<Advice> advice) {
        List<String> lines = new ArrayList<>();
        String server = "";
        for (Advice each : advice) {
            if (!each.server().equals(server)) {
                server = each.server();
                lines.add(server);
            }
            lines.add("  %-8s %s".formatted(word(each.level()), Terminal.shown(each.sentence())));
            if (!each.type().isEmpty()) {
                lines.add("           type: " + each.type());
            }
        }
        if (advice.stream().anyMatch(each -> each.type().contains("CONFIG SET"))) {
            lines.add("CONFIG SET holds until the next start; CONFIG REWRITE after it keeps it.");
        }
        lines.add(summary(advice));
        return String.join("\n", lines) + "\n";
    }

    private static String word(Level level) {
        return switch (level) {
            case GOOD -> "good";
            case WARNING -> "warning";
            case BAD -> "BAD";
        };
    }

    private static String summary(List<Advice> advice) {
        long bad = advice.stream().filter(each -> each.level() == Level.BAD).count();
        long warnings = advice.stream().filter(each -> each.level() == Level.WARNING).count();
        if (bad > 0) {
            return "Not safe: %d to be mended, %d to be thought about.".formatted(bad, warnings);
        }
        return warnings == 0
                ? "Safe and suitable."
                : "Suitable, with %d to be thought about.".formatted(warnings);
    }
}
