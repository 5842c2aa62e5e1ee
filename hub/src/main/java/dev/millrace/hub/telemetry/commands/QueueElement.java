package dev.millrace.hub.telemetry.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Utf8;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * What stands in the queue of a channel for a command. Other programs push such elements too, often
 * with a point and a value only.
 *
 * @param raw as it stands there, which is what it is known by
 * @param id of its record; empty if there is no record yet
 * @param type C or A; empty if it is to be found out
 * @param value a decimal number
 * @param given in seconds since 1970; 0 if it does not say
 * @param expiresAt in seconds since 1970; 0 if it does not say
 * @param mayWait for a device that is offline
 */
record QueueElement(
        byte[] raw,
        Optional<String> id,
        Optional<PointType> type,
        String point,
        String value,
        double number,
        int priority,
        long given,
        long expiresAt,
        boolean mayWait,
        String source) {

    static final int STANDARD_PRIORITY = 5;
    static final int HIGHEST_PRIORITY = 9;
    static final String FOREIGN = "foreign";

    private static final int LONGEST_VALUE = 64;
    private static final int LONGEST_SOURCE = 128;

    /** What an element turns out to be. */
    sealed interface Read {
        record Sound(QueueElement element) implements Read {}

        record Garbage(String reason) implements Read {}
    }

    /** The element of a command that was given here. */
    static byte[] of(Command command, double number, boolean mayWait) {
        StringBuilder out = new StringBuilder(192);
        out.append("{\"cmd_id\":");
        JsonText.append(out, command.id());
        out.append(",\"channel_id\":").append(command.channel());
        command.type().ifPresent(type -> out.append(",\"type\":\"").append(type).append('"'));
        out.append(",\"point_id\":").append(command.point()).append(",\"value\":");
        Numbers.appendJson(out, command.value(), number);
        out.append(",\"timestamp\":\"").append(command.given().getEpochSecond());
        out.append("\",\"source\":");
        JsonText.append(out, command.source());
        out.append(",\"priority\":").append(command.priority());
        command.expiresAt()
                .ifPresent(
                        end ->
                                out.append(",\"expires_at\":\"")
                                        .append(end.getEpochSecond())
                                        .append('"'));
        if (mayWait) {
            out.append(",\"may_wait\":true");
        }
        return out.append('}').toString().getBytes(UTF_8);
    }

    /** Those of these elements that stand for the command. */
    static List<byte[]> of(Command command, List<byte[]> elements) {
        return elements.stream()
                .filter(
                        raw ->
                                read(command.channel(), raw) instanceof Read.Sound(var element)
                                        && element.id().filter(command.id()::equals).isPresent())
                .toList();
    }

    /** What stands in the queue of this channel. */
    static Read read(int channel, byte[] raw) {
        if (!Utf8.isText(raw)) {
            return new Read.Garbage("it is not text in UTF-8");
        }
        JsonNode node;
        try {
            node = Json.MAPPER.readTree(raw);
        } catch (JacksonException e) {
            return new Read.Garbage("it is not JSON");
        }
        return node instanceof ObjectNode object
                ? read(channel, raw, object)
                : new Read.Garbage("it is not a JSON object");
    }

    private static Read read(int channel, byte[] raw, ObjectNode json) {
        String point = json.path("point_id").asString("");
        if (PointIds.point(point) == 0) {
            return new Read.Garbage("point_id must be a number from 1 to 4294967295");
        }
        Optional<String> value = value(json.path("value"));
        if (value.isEmpty()) {
            return new Read.Garbage("value must be a number");
        }
        String of = json.path("channel_id").asString("");
        if (!of.isEmpty() && !of.equals(Integer.toString(channel))) {
            return new Read.Garbage("it is for channel " + of);
        }
        String letter = json.path("type").asString("");
        Optional<PointType> type = PointType.of(letter).filter(each -> !each.isRead());
        if (!letter.isEmpty() && type.isEmpty()) {
            return new Read.Garbage("type must be C or A");
        }
        String id = json.path("cmd_id").asString("");
        if (!id.isEmpty() && !CommandIds.canBe(id)) {
            return new Read.Garbage("cmd_id is not an id of a command");
        }
        String source = json.path("source").asString("");
        return new Read.Sound(
                new QueueElement(
                        raw,
                        id.isEmpty() ? Optional.empty() : Optional.of(id),
                        type,
                        point,
                        value.get(),
                        Numbers.parse(value.get()),
                        priority(json.path("priority")),
                        second(json.path("timestamp")),
                        second(json.path("expires_at")),
                        json.path("may_wait").asBoolean(false),
                        source.isEmpty() || source.length() > LONGEST_SOURCE ? FOREIGN : source));
    }

    /** The stored form of a value; empty if it is not a number. */
    static Optional<String> value(JsonNode json) {
        if (json.isNumber()) {
            double number = json.doubleValue();
            return Double.isFinite(number)
                    ? Optional.of(NumberText.shortest(number))
                    : Optional.empty();
        }
        if (json.isBoolean()) {
            return Optional.of(json.booleanValue() ? "1" : "0");
        }
        String text = json.isString() ? json.stringValue() : "";
        return text.length() <= LONGEST_VALUE && Double.isFinite(Numbers.parse(text))
                ? Optional.of(text)
                : Optional.empty();
    }

    private static int priority(JsonNode json) {
        int said = json.asInt(STANDARD_PRIORITY);
        return said < 1 || said > HIGHEST_PRIORITY ? STANDARD_PRIORITY : said;
    }

    private static long second(JsonNode json) {
        double second = json.isNumber() ? json.doubleValue() : Numbers.parse(json.asString(""));
        return CommandIds.asSecond(second);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return new String(raw, UTF_8);
    }
}
