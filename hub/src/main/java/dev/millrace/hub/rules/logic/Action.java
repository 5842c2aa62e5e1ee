package dev.millrace.hub.rules.logic;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a rule does. Texts in it may name variables, {@code {var}} or {@code $var}; a value may be
 * an expression.
 *
 * @param target as records show it
 * @param config as it was written
 */
public record Action(
        Kind kind, String target, ObjectNode config, Optional<Expression> value, boolean goesOn) {
    /** What it does. */
    public enum Kind {
        /** Orders a device: a point of type C or A. */
        COMMAND,
        /** Writes a value of type T or S. */
        WRITE,
        /** Orders what a model can do. */
        MODEL,
        /** Keeps a value of the rules' own. */
        KEEP,
        PUBLISH,
        NOTIFY,
        ALARM,
        EVENT,
        LOG;

        /** Whether it reaches beyond what is stored for the site, and so has a way of its own. */
        public boolean reachesOut() {
            return switch (this) {
                case COMMAND, WRITE, MODEL -> true;
                case KEEP, PUBLISH, NOTIFY, ALARM, EVENT, LOG -> false;
            };
        }
    }

    private static final Pattern POINT =
            Pattern.compile("comsrv:([1-9][0-9]{0,4}):([TSCA]):([1-9][0-9]{0,9})");
    private static final Pattern KEPT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern MODEL_POINT =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,127})\\.([^\\s.{}$]{1,128})");
    private static final Pattern EVENT_TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
    private static final Pattern NAMED =
            Pattern.compile(
                    "\\{\\$?([\\p{L}_][\\p{L}\\p{N}_.]{0,127})}|\\$([\\p{L}_][\\p{L}\\p{N}_.]{0,127})");
    private static final Set<String> OWN = Set.of("audit", "dead_letter");
    private static final int LONGEST = 65_536;

    static Action read(JsonNode node, String member, ConditionReader reader) throws RuleFault {
        if (!(node instanceof ObjectNode given)) {
            throw RuleFault.action(member, "An action is an object with a type.");
        }
        ObjectNode config = given;
        if (given.path("config") instanceof ObjectNode inner) {
            config = inner.deepCopy();
            if (!config.has("type")) {
                config.put("type", given.path("type").asString(""));
            }
        }
        if (config.toString().length() > LONGEST) {
            throw RuleFault.action(member, "An action has at most 64 KiB.");
        }
        String type = config.path("type").asString(config.path("action_type").asString(""));
        boolean goesOn = config.path("continue_on_error").asBoolean(false);
        return switch (type) {
            case "device_control", "control", "send_control" ->
                    command(config, member, "C", goesOn, reader);
            case "adjustment" -> command(config, member, "A", goesOn, reader);
            case "set_value", "redis_set", "redis_hset", "set", "store" ->
                    set(config, member, goesOn, reader);
            case "model_action", "execute_action" -> {
                String model = needed(config, "model_id", member);
                String action = needed(config, "action", member);
                yield with(Kind.MODEL, model + "." + action, config, member, goesOn, reader);
            }
            case "publish" -> {
                String channel =
                        needed(config, config.has("channel") ? "channel" : "topic", member);
                mustBeEvent(channel, member + ".channel");
                yield plain(Kind.PUBLISH, channel, config, goesOn);
            }
            case "notify" -> {
                needed(config, "message", member);
                yield plain(Kind.NOTIFY, config.path("level").asString("info"), config, goesOn);
            }
            case "alarm", "create_alarm" -> plain(Kind.ALARM, "alarm", config, goesOn);
            case "event" -> {
                String name = needed(config, "event_type", member);
                mustBeEvent(name, member + ".event_type");
                yield plain(Kind.EVENT, name, config, goesOn);
            }
            case "log" -> plain(Kind.LOG, config.path("level").asString("info"), config, goesOn);
            default ->
                    throw RuleFault.action(
                            member + ".type",
                            "'%s' is not a type of action.".formatted(SourceRef.shortened(type)));
        };
    }

    private static void mustBeEvent(String name, String member) throws RuleFault {
        if (!EVENT_TYPE.matcher(name).matches() || OWN.contains(name)) {
            throw RuleFault.action(
                    member,
                    "'%s' is not a name for events of rules.".formatted(SourceRef.shortened(name)));
        }
    }

    private static String needed(ObjectNode config, String name, String member) throws RuleFault {
        JsonNode node = config.path(name);
        if ((!node.isString() && !node.isNumber()) || node.asString("").isEmpty()) {
            throw RuleFault.action(member + "." + name, "This is missing.");
        }
        return node.asString();
    }

    private static Action command(
            ObjectNode config,
            String member,
            String standard,
            boolean goesOn,
            ConditionReader reader)
            throws RuleFault {
        String type = config.path("point_type").asString(standard);
        String target =
                "comsrv:%s:%s:%s"
                        .formatted(
                                needed(config, "channel_id", member),
                                type,
                                needed(config, "point_id", member));
        Matcher point = POINT.matcher(target);
        if (!point.matches() || !(type.equals("C") || type.equals("A"))) {
            throw RuleFault.action(
                    member + ".point_id",
                    "'%s' is not a point to be ordered.".formatted(SourceRef.shortened(target)));
        }
        return with(Kind.COMMAND, target, config, member, goesOn, reader);
    }

    private static Action set(
            ObjectNode config, String member, boolean goesOn, ConditionReader reader)
            throws RuleFault {
        String target =
                config.has("target")
                        ? needed(config, "target", member)
                        : needed(config, "key", member);
        if (config.has("field") && target.startsWith("comsrv:")) {
            target = target + ":" + config.path("field").asString("");
        }
        Matcher point = POINT.matcher(target);
        if (point.matches() && Integer.parseInt(point.group(1)) <= 65_535) {
            boolean ordered = point.group(2).equals("C") || point.group(2).equals("A");
            return with(
                    ordered ? Kind.COMMAND : Kind.WRITE, target, config, member, goesOn, reader);
        }
        if (target.startsWith("rulesrv:value:")
                && KEPT.matcher(target.substring("rulesrv:value:".length())).matches()) {
            return with(Kind.KEEP, target, config, member, goesOn, reader);
        }
        if (MODEL_POINT.matcher(target).matches()) {
            return with(Kind.MODEL, target, config, member, goesOn, reader);
        }
        throw RuleFault.action(
                member + ".target",
                "'%s' may not be set by rules; comsrv:CH:TYPE:POINT, MODEL.NAME and"
                                .formatted(SourceRef.shortened(target))
                        + " rulesrv:value:NAME may.");
    }

    private static Action with(
            Kind kind,
            String target,
            ObjectNode config,
            String member,
            boolean goesOn,
            ConditionReader reader)
            throws RuleFault {
        JsonNode value = config.path("value");
        if (value.isMissingNode() || value.isNull()) {
            throw RuleFault.action(member + ".value", "There is no value.");
        }
        Optional<Expression> expression = Optional.empty();
        if (value.isString() && Double.isNaN(Numeric.of(value.asString()))) {
            String text = value.asString();
            Matcher named = NAMED.matcher(text);
            expression =
                    Optional.of(
                            Expression.parse(
                                    named.matches()
                                            ? "$"
                                                    + (named.group(1) == null
                                                            ? named.group(2)
                                                            : named.group(1))
                                            : text,
                                    reader.inputs(),
                                    member + ".value",
                                    RuleFault.Code.INVALID_ACTION));
        } else if (!value.isNumber() && !value.isBoolean() && !value.isString()) {
            throw RuleFault.action(
                    member + ".value", "A value is a number, a text, true or false.");
        }
        return new Action(kind, target, config, expression, goesOn);
    }

    private static Action plain(Kind kind, String target, ObjectNode config, boolean goesOn) {
        return new Action(kind, target, config, Optional.empty(), goesOn);
    }

    /** The device channel, its type and its point, of a command or a write. */
    public String[] point() {
        Matcher point = POINT.matcher(target);
        return point.matches()
                ? new String[] {point.group(1), point.group(2), point.group(3)}
                : new String[0];
    }

    /** What it does as this look sees it: values worked out, names filled in. */
    Planned planned(Sight sight) throws Expression.Failure {
        Object result = null;
        if (value.isPresent()) {
            result = value.get().value(sight);
        } else if (config.has("value")) {
            JsonNode plain = config.path("value");
            result =
                    plain.isNumber()
                            ? (Object) plain.asDouble()
                            : plain.isBoolean() ? (Object) plain.asBoolean() : plain.asString("");
        }
        ObjectNode filled = config.deepCopy();
        for (String name : new String[] {"message", "payload", "title", "description"}) {
            if (filled.path(name).isString()) {
                filled.put(name, filled(filled.path(name).asString(), sight));
            }
        }
        return new Planned(this, filled, result == null ? "" : Numeric.text(result));
    }

    private static String filled(String text, Sight sight) {
        Matcher named = NAMED.matcher(text);
        return named.replaceAll(
                each -> {
                    String name = each.group(1) == null ? each.group(2) : each.group(1);
                    Object value = sight.variable(name);
                    return Matcher.quoteReplacement(
                            value == null ? each.group() : Numeric.text(value));
                });
    }

    /**
     * An action with its value.
     *
     * @param filled its members
     * @param value as it is stored; empty if it has none
     */
    public record Planned(Action action, ObjectNode filled, String value) {}
}
