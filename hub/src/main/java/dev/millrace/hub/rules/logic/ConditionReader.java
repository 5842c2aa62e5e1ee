package dev.millrace.hub.rules.logic;

import com.google.re2j.Pattern;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the conditions of a rule, in all of their forms. */
public final class ConditionReader {
    private static final int DEEPEST = 16;
    private static final int MOST_CONDITIONS = 500;
    private static final double LONGEST_SECONDS = 31_536_000;

    private final Map<String, SourceRef> inputs;
    private int count;

    ConditionReader(Map<String, SourceRef> inputs) {
        this.inputs = inputs;
    }

    Map<String, SourceRef> inputs() {
        return inputs;
    }

    /** Names that stand for sources. */
    static Map<String, SourceRef> inputs(ObjectNode rule) throws RuleFault {
        Map<String, SourceRef> inputs = new LinkedHashMap<>();
        JsonNode given = rule.path("inputs");
        if (given instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> each : object.properties()) {
                String member = "inputs." + SourceRef.shortened(each.getKey());
                inputs.put(
                        each.getKey(),
                        each.getValue() instanceof ObjectNode source
                                ? Fields.source(source, member)
                                : SourceRef.parse(each.getValue().asString(""), "", member));
            }
        } else if (!given.isMissingNode() && !given.isNull()) {
            throw RuleFault.condition("inputs", "inputs is an object of names and sources.");
        }
        return inputs;
    }

    /** The condition of a rule that is not a flow; empty if it has none of the three forms. */
    Optional<Condition> read(ObjectNode rule) throws RuleFault {
        if (rule.has("condition_groups") || rule.has("condition_logic")) {
            return Optional.of(groups(rule));
        }
        JsonNode many = rule.path("conditions");
        if (many instanceof ObjectNode group) {
            return Optional.of(group(group, "conditions", 0));
        }
        if (many instanceof ArrayNode list) {
            return Optional.of(
                    new Condition.Group(
                            isAll(rule.path("operator").asString("AND"), "operator"),
                            parts(list, "conditions", 0)));
        }
        JsonNode one = rule.path("condition");
        if (one.isString()) {
            return Optional.of(formula(one.asString(), "condition"));
        }
        if (one instanceof ObjectNode object) {
            return Optional.of(any(object, "condition", 0));
        }
        if (isSaid(one) || isSaid(many)) {
            throw RuleFault.condition("condition", "A condition is an object or an expression.");
        }
        return Optional.empty();
    }

    private static boolean isSaid(JsonNode node) {
        return !node.isMissingNode() && !node.isNull();
    }

    private Condition groups(ObjectNode rule) throws RuleFault {
        JsonNode groups = rule.path("condition_groups");
        if (!groups.isArray()) {
            throw RuleFault.condition("condition_groups", "condition_groups is a list of groups.");
        }
        return new Condition.Group(
                isAll(rule.path("condition_logic").asString("AND"), "condition_logic"),
                parts((ArrayNode) groups, "condition_groups", 0));
    }

    private List<Condition> parts(ArrayNode list, String member, int depth) throws RuleFault {
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String place = "%s[%d]".formatted(member, i);
            if (list.get(i) instanceof ObjectNode object) {
                parts.add(any(object, place, depth + 1));
            } else if (list.get(i).isString()) {
                parts.add(formula(list.get(i).asString(), place));
            } else {
                throw RuleFault.condition(place, "A condition is an object or an expression.");
            }
        }
        return parts;
    }

    /** A group, an expression or a comparison, whichever the object is. */
    Condition any(ObjectNode object, String member, int depth) throws RuleFault {
        if (depth > DEEPEST) {
            throw RuleFault.condition(
                    member, "Groups are nested at most %d deep.".formatted(DEEPEST));
        }
        if (object.has("conditions")) {
            return group(object, member, depth);
        }
        if (object.path("expression").isString()) {
            return formula(object.path("expression").asString(), member + ".expression");
        }
        return test(object, member);
    }

    private Condition group(ObjectNode object, String member, int depth) throws RuleFault {
        if (!(object.path("conditions") instanceof ArrayNode list)) {
            throw RuleFault.condition(member + ".conditions", "This must be a list.");
        }
        String logic =
                object.has("logic")
                        ? object.path("logic").asString("")
                        : object.path("operator").asString("AND");
        return new Condition.Group(
                isAll(logic, member + ".logic"), parts(list, member + ".conditions", depth));
    }

    private static boolean isAll(String word, String member) throws RuleFault {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "AND", "ALL", "&&" -> true;
            case "OR", "ANY", "||" -> false;
            default -> throw RuleFault.condition(member, "Conditions are joined by AND or OR.");
        };
    }

    Condition formula(String text, String member) throws RuleFault {
        return new Condition.Formula(expression(text, member));
    }

    Expression expression(String text, String member) throws RuleFault {
        mustBeFew(member);
        return Expression.parse(text, inputs, member, RuleFault.Code.INVALID_CONDITION);
    }

    private void mustBeFew(String member) throws RuleFault {
        if (++count > MOST_CONDITIONS) {
            throw RuleFault.condition(
                    member, "A rule has at most %d conditions.".formatted(MOST_CONDITIONS));
        }
    }

    private Condition test(ObjectNode object, String member) throws RuleFault {
        Condition.Subject subject;
        String variable = object.path(object.has("variable") ? "variable" : "left").asString("");
        if (object.has("source")) {
            subject = new Condition.Subject.OfSource(Fields.source(object, member));
        } else if (!variable.isEmpty()) {
            subject =
                    new Condition.Subject.OfExpression(expression(variable, member + ".variable"));
        } else {
            throw RuleFault.condition(member + ".source", "A condition names its source.");
        }
        return test(subject, object, member);
    }

    Condition test(Condition.Subject subject, ObjectNode object, String member) throws RuleFault {
        mustBeFew(member);
        String word =
                object.has("operator")
                        ? object.path("operator").asString("")
                        : object.path("op").asString("");
        Operator operator =
                Operator.of(word)
                        .orElseThrow(
                                () ->
                                        RuleFault.condition(
                                                member + ".operator",
                                                "'%s' is not an operator."
                                                        .formatted(SourceRef.shortened(word))));
        double seconds = Fields.number(object, "duration", member + ".duration", 0);
        if (!(seconds >= 0 && seconds <= LONGEST_SECONDS)) {
            throw RuleFault.condition(
                    member + ".duration", "A duration is up to a year, in seconds.");
        }
        List<Object> operands = operands(operator, object, member);
        Pattern pattern =
                operator == Operator.REGEX
                        ? Operator.pattern(Numeric.text(operands.getFirst()), member + ".value")
                        : null;
        return new Condition.Test(
                member, subject, operator, operands, pattern, Math.round(seconds * 1000));
    }

    private static List<Object> operands(Operator operator, ObjectNode object, String member)
            throws RuleFault {
        JsonNode value = value(object);
        String place = member + ".value";
        return switch (operator.operands()) {
            case 0 -> List.of();
            case 1 -> List.of(Fields.value(said(value, place), place));
            case 2 -> two(value, object, member);
            default -> Fields.values(said(value, place), place);
        };
    }

    private static JsonNode said(@Nullable JsonNode value, String place) throws RuleFault {
        if (value == null) {
            throw RuleFault.condition(place, "There is no value to compare with.");
        }
        return value;
    }

    private static List<Object> two(@Nullable JsonNode value, ObjectNode object, String member)
            throws RuleFault {
        List<Object> two =
                value == null
                        ? List.of(
                                Fields.value(object.path("min"), member + ".min"),
                                Fields.value(object.path("max"), member + ".max"))
                        : Fields.values(value, member + ".value");
        if (two.size() != 2 || two.stream().anyMatch(each -> Double.isNaN(Numeric.of(each)))) {
            throw RuleFault.condition(member + ".value", "between takes two numbers.");
        }
        return two;
    }

    private static @Nullable JsonNode value(ObjectNode object) {
        for (String name : new String[] {"value", "threshold", "target", "right", "values"}) {
            if (object.has(name) && !object.path(name).isNull()) {
                return object.path(name);
            }
        }
        return null;
    }
}
