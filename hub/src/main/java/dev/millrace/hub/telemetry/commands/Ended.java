package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.telemetry.bus.Ordered;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** How commands end, in the words of their records. */
final class Ended {
    private static final int LONGEST_RESULT = 500;

    private Ended() {}

    /** What a device has made of an order. */
    static Command by(Command executing, Ordered ordered, Instant now, Duration took) {
        return switch (ordered) {
            case Ordered.Done(var actual) -> {
                Map<String, String> fields = new HashMap<>(executing.fields());
                fields.put(Command.STATUS, CommandState.COMPLETED.word());
                fields.put(Command.RESULT, "ok");
                actual.ifPresent(number -> fields.put(Command.ACTUAL, NumberText.shortest(number)));
                yield finished(executing, fields, now, took);
            }
            case Ordered.Refused(String code, String text) ->
                    failed(
                            executing,
                            CommandError.REJECTED_BY_DEVICE,
                            code.isEmpty() ? text : code + ": " + text,
                            now,
                            took);
            case Ordered.NotSent(Ordered.Cause cause, String text) ->
                    failed(executing, error(cause), text, now, took);
            case Ordered.Unknown(String text) ->
                    failed(executing, CommandError.TIMEOUT, text, now, took);
        };
    }

    private static CommandError error(Ordered.Cause cause) {
        return switch (cause) {
            case OFFLINE -> CommandError.DEVICE_OFFLINE;
            case UNKNOWN_POINT -> CommandError.UNKNOWN_POINT;
            case OUT_OF_RANGE -> CommandError.OUT_OF_RANGE;
            case LATE -> CommandError.TIMEOUT;
        };
    }

    /** It was not sent, or nobody knows. */
    static Command failed(Command before, CommandError error, String text, Instant now) {
        return failed(before, error, text, now, Duration.ZERO);
    }

    private static Command failed(
            Command before, CommandError error, String text, Instant now, Duration took) {
        Map<String, String> fields = new HashMap<>(before.fields());
        fields.put(Command.STATUS, CommandState.FAILED.word());
        fields.put(Command.ERROR, error.name());
        if (!text.isEmpty()) {
            fields.put(
                    Command.RESULT,
                    text.length() <= LONGEST_RESULT ? text : text.substring(0, LONGEST_RESULT));
        }
        return finished(before, fields, now, took);
    }

    private static Command finished(
            Command before, Map<String, String> fields, Instant now, Duration took) {
        fields.put(Command.FINISHED, Long.toString(now.getEpochSecond()));
        if (before.is(CommandState.EXECUTING)) {
            fields.put(Command.DURATION, Long.toString(took.toMillis()));
        }
        return new Command(before.channel(), before.id(), fields);
    }
}
