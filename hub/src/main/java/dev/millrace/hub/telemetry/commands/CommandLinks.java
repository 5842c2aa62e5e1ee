package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.why.Kind;
import dev.millrace.hub.why.Links;
import dev.millrace.hub.why.Part;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands as parts of chains, and what devices said after them. Thread-safe. */
public record CommandLinks(Commands commands) implements Links {
    private static final String CALL = "c-command-";
    private static final Pattern OF_EXECUTION = Pattern.compile("(x[0-9a-z]+-[0-9a-z]+)-[0-9]+");

    @Override
    public Optional<Part> find(Kind kind, String id) {
        return switch (kind) {
            case COMMAND -> commands.find(id).map(CommandLinks::part);
            case READ_BACK -> commands.find(id).flatMap(CommandLinks::readBack);
            case VALUE, CALL, MOMENT, ALARM, NOTIFICATION, TRANSMISSION, EXECUTION ->
                    Optional.empty();
        };
    }

    @Override
    public Some startedBy(Part cause) {
        return cause.id().startsWith(CALL)
                ? some(find(Kind.COMMAND, cause.id().substring(CALL.length())))
                : Some.NONE;
    }

    private static Some some(Optional<Part> part) {
        return Some.of(part.stream().toList());
    }

    @Override
    public Some after(Part part) {
        return switch (part.kind()) {
            case EXECUTION ->
                    Some.of(
                            part.leads(Kind.COMMAND).stream()
                                    .flatMap(each -> find(Kind.COMMAND, each).stream())
                                    .toList());
            case COMMAND -> some(find(Kind.READ_BACK, part.id()));
            case VALUE, CALL, MOMENT, ALARM, NOTIFICATION, TRANSMISSION, READ_BACK -> Some.NONE;
        };
    }

    private static Part part(Command command) {
        Optional<Part.Ref> from = execution(command);
        String id = command.fields().getOrDefault(Command.CAUSE, "");
        String cause = from.isEmpty() && id.isEmpty() ? CALL + command.id() : id;
        return Part.of(
                        Kind.COMMAND,
                        command.id(),
                        command.given(),
                        command.requestedBy().isEmpty() ? command.source() : command.requestedBy(),
                        title(command))
                .with(CommandViews.whole(command))
                .from(from)
                .causedBy(
                        Part.cause(
                                cause,
                                command.given(),
                                from.isEmpty() ? command.requestedBy() : "",
                                from.isEmpty()
                                        ? "It was ordered, source " + command.source()
                                        : "What began it is not kept any more.",
                                Map.of()));
    }

    private static String title(Command command) {
        String what =
                "Channel %d, %s %s = %s"
                        .formatted(
                                command.channel(),
                                command.type().map(Enum::name).orElse("point"),
                                command.point(),
                                command.value());
        return command.ended() && !command.is(CommandState.COMPLETED)
                ? what + " failed: " + command.error()
                : what;
    }

    /** Only rules may use ids like this one, and say that they did. */
    private static Optional<Part.Ref> execution(Command command) {
        Matcher parts = OF_EXECUTION.matcher(command.id());
        return command.source().startsWith("rule:") && parts.matches()
                ? Optional.of(new Part.Ref(Kind.EXECUTION, parts.group(1)))
                : Optional.empty();
    }

    private static Optional<Part> readBack(Command command) {
        return command.actualValue()
                .map(
                        actual ->
                                Part.of(
                                                Kind.READ_BACK,
                                                command.id(),
                                                finished(command),
                                                "channel:" + command.channel(),
                                                "The device says " + actual)
                                        .with(
                                                Map.of(
                                                        "actual_value",
                                                        actual,
                                                        "channel_id",
                                                        command.channel(),
                                                        "point_id",
                                                        command.point()))
                                        .from(
                                                Optional.of(
                                                        new Part.Ref(Kind.COMMAND, command.id()))));
    }

    private static Instant finished(Command command) {
        long second = CommandTelling.second(command.fields().get(Command.FINISHED));
        return second == 0 ? command.given() : Instant.ofEpochSecond(second);
    }
}
