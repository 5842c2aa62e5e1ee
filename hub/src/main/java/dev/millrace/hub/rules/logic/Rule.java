package dev.millrace.hub.rules.logic;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A business rule, read: what makes it look, when it acts, what it does. Not to be changed;
 * thread-safe.
 *
 * @param cooldownMillis how long it rests after it has acted
 * @param edge whether it acts only when its condition begins to hold
 * @param shadow whether it only says what it would do
 */
public record Rule(
        String id,
        String name,
        int priority,
        long cooldownMillis,
        boolean edge,
        boolean shadow,
        Trigger trigger,
        Logic logic,
        List<Action> actions,
        Set<SourceRef> sources) {
    /** Names that have another meaning under {@code rule:} or in paths. */
    public static final Set<String> RESERVED =
            Set.of("index", "status", "statistics", "execution", "test", "reload", "config");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int MOST_ACTIONS = 100;
    private static final double LONGEST_COOLDOWN = 31_536_000;

    /** What decides. */
    public sealed interface Logic {
        /** A condition; the rule's actions follow if it holds. */
        record When(Condition condition) implements Logic {}

        /** A graph that holds conditions and actions. */
        record Through(Flow flow) implements Logic {}
    }

    public Rule {
        actions = List.copyOf(actions);
        sources = Set.copyOf(sources);
    }

    /** Whether a rule may have this id. */
    public static boolean isId(String id) {
        return ID.matcher(id).matches() && !RESERVED.contains(id);
    }

    /** Reads one; what is wrong is said with the member at fault. */
    public static Rule read(String id, ObjectNode document) throws RuleFault {
        ConditionReader reader = new ConditionReader(ConditionReader.inputs(document));
        Trigger trigger = Trigger.read(document);
        Logic logic;
        List<Action> actions = new ArrayList<>();
        Set<SourceRef> sources = new LinkedHashSet<>(reader.inputs().values());
        Optional<ObjectNode> flow = flow(document);
        if (flow.isPresent()) {
            Flow graph = FlowReader.read(flow.get(), reader);
            graph.sources(sources);
            logic = new Logic.Through(graph);
        } else {
            Condition condition =
                    reader.read(document)
                            .orElseThrow(
                                    () ->
                                            RuleFault.condition(
                                                    "condition",
                                                    "A rule has a condition, condition_groups,"
                                                            + " conditions or nodes."));
            condition.sources(sources);
            logic = new Logic.When(condition);
            actions(document, reader, actions);
        }
        return new Rule(
                id,
                Fields.text(document, "name", "name", id),
                (int) Fields.number(document, "priority", "priority", 0),
                cooldown(document),
                edge(document),
                Fields.flag(document, "shadow", "shadow", false),
                trigger,
                logic,
                actions,
                sources);
    }

    private static Optional<ObjectNode> flow(ObjectNode document) {
        if (document.path("nodes").isArray() || document.path("nodes").isObject()) {
            return Optional.of(document);
        }
        for (String name : new String[] {"flow", "flow_json", "graph"}) {
            if (document.path(name) instanceof ObjectNode inner && inner.has("nodes")) {
                return Optional.of(inner);
            }
        }
        return Optional.empty();
    }

    private static void actions(ObjectNode document, ConditionReader reader, List<Action> into)
            throws RuleFault {
        JsonNode list = document.path("actions");
        if (list instanceof ArrayNode all) {
            if (all.size() > MOST_ACTIONS) {
                throw RuleFault.action(
                        "actions", "A rule has at most %d actions.".formatted(MOST_ACTIONS));
            }
            for (int i = 0; i < all.size(); i++) {
                into.add(Action.read(all.get(i), "actions[%d]".formatted(i), reader));
            }
        } else if (!list.isMissingNode() && !list.isNull()) {
            throw RuleFault.action("actions", "actions is a list.");
        }
        if (document.path("action").isObject()) {
            into.add(Action.read(document.path("action"), "action", reader));
        }
        if (into.isEmpty()) {
            throw RuleFault.action("actions", "A rule does something; actions is a list of that.");
        }
    }

    private static long cooldown(ObjectNode document) throws RuleFault {
        double seconds =
                document.has("cooldown_ms")
                        ? Fields.number(document, "cooldown_ms", "cooldown_ms", 0) / 1000
                        : document.has("cooldown_seconds")
                                ? Fields.number(document, "cooldown_seconds", "cooldown_seconds", 0)
                                : Fields.number(document, "cooldown", "cooldown", 0);
        if (!(seconds >= 0 && seconds <= LONGEST_COOLDOWN)) {
            throw RuleFault.general("cooldown", "A cooldown is up to a year, in seconds.");
        }
        return Math.round(seconds * 1000);
    }

    private static boolean edge(ObjectNode document) throws RuleFault {
        String mode = Fields.text(document, "trigger_mode", "trigger_mode", "level");
        return switch (mode) {
            case "edge" -> true;
            case "level" -> false;
            default -> throw RuleFault.general("trigger_mode", "trigger_mode is level or edge.");
        };
    }

    /** Whether something in it must have held for a while. */
    public boolean lasts() {
        return switch (logic) {
            case Logic.When(Condition condition) -> condition.lasting();
            case Logic.Through(Flow flow) -> true;
        };
    }

    /** The sources whose writes make it look. */
    public Set<SourceRef> watched() {
        return trigger instanceof Trigger.Data data
                ? data.sources().isEmpty() ? sources : data.sources()
                : Set.of();
    }

    /**
     * What one look came to.
     *
     * @param met whether its condition holds
     * @param planned what it does then
     * @param error empty if nothing went wrong
     */
    public record Verdict(boolean met, List<Action.Planned> planned, String error, String matched) {
        public Verdict {
            planned = List.copyOf(planned);
        }
    }

    /** Looks; changes nothing but what the sight remembers. */
    public Verdict look(Sight sight) {
        try {
            return switch (logic) {
                case Logic.When(Condition condition) -> {
                    boolean met = condition.holds(sight);
                    List<Action.Planned> planned = new ArrayList<>();
                    if (met) {
                        for (Action each : actions) {
                            planned.add(each.planned(sight));
                        }
                    }
                    yield new Verdict(met, planned, "", met ? "condition" : "");
                }
                case Logic.Through(Flow flow) -> flow.run(sight);
            };
        } catch (Expression.Failure e) {
            return new Verdict(false, List.of(), String.valueOf(e.getMessage()), "");
        }
    }

    /** Values by name, of JSON. */
    public static Map<String, Object> given(ObjectNode context) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : context.properties()) {
            JsonNode value = each.getValue();
            if (value.isNumber()) {
                given.put(each.getKey(), value.asDouble());
            } else if (value.isBoolean()) {
                given.put(each.getKey(), value.asBoolean());
            } else if (value.isString()) {
                given.put(each.getKey(), Numeric.read(value.asString()));
            }
        }
        return given;
    }
}
