package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.Texts;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Commands as clients read them: numbers as numbers, times in ISO 8601. */
public final class CommandViews {
    private static final Set<String> TIMES =
            Set.of(Command.TIMESTAMP, Command.EXPIRES, Command.STARTED, Command.FINISHED);
    private static final Set<String> NUMBERS =
            Set.of(
                    Command.VALUE,
                    Command.ACTUAL,
                    Command.PREVIOUS,
                    Command.PRIORITY,
                    Command.DURATION,
                    Command.SEQ);

    private CommandViews() {}

    /** What is answered when one was given. */
    public static Map<String, Object> brief(Command command) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("cmd_id", command.id());
        view.put("status", command.fields().getOrDefault(Command.STATUS, ""));
        return view;
    }

    public static Map<String, Object> whole(Command command) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("cmd_id", command.id());
        view.put("channel_id", command.channel());
        command.type().ifPresent(type -> view.put(Command.TYPE, type.name()));
        long point = PointIds.point(command.point());
        view.put(Command.POINT, point == 0 ? command.point() : (Object) point);
        for (String field :
                new String[] {
                    Command.VALUE,
                    Command.STATUS,
                    Command.TIMESTAMP,
                    Command.SOURCE,
                    Command.PRIORITY,
                    Command.REQUESTED_BY,
                    Command.REASON,
                    Command.EXPIRES,
                    Command.STARTED,
                    Command.FINISHED,
                    Command.DURATION,
                    Command.PREVIOUS,
                    Command.ACTUAL,
                    Command.ERROR,
                    Command.RESULT,
                    Command.BATCH,
                    Command.SEQ,
                    Command.CAUSE
                }) {
            Optional.ofNullable(command.fields().get(field))
                    .ifPresent(text -> view.put(field, shown(field, text)));
        }
        return view;
    }

    private static Object shown(String field, String text) {
        double number = Numbers.parse(text);
        if (!Double.isFinite(number)) {
            return text;
        }
        if (TIMES.contains(field)) {
            long second = CommandIds.asSecond(number);
            return second == 0 ? text : Texts.iso(Instant.ofEpochSecond(second));
        }
        if (!NUMBERS.contains(field)) {
            return text;
        }
        boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
        return whole ? (Object) (long) number : (Object) number;
    }
}
