package dev.millrace.hub.rules.logic;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads flows: nodes with edges between them, or nodes with wires. */
final class FlowReader {
    private static final int MOST_NODES = 200;
    private static final int MOST_EDGES = 1000;
    private static final Pattern ID = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]{0,63}");
    private static final Set<String> GATHERS =
            Set.of("and", "or", "sum", "avg", "min", "max", "count");

    private final ConditionReader reader;

    private FlowReader(ConditionReader reader) {
        this.reader = reader;
    }

    static Flow read(ObjectNode flow, ConditionReader reader) throws RuleFault {
        return new FlowReader(reader).read(flow);
    }

    private Flow read(ObjectNode flow) throws RuleFault {
        List<ObjectNode> given = nodes(flow.path("nodes"));
        boolean wired =
                !flow.has("edges")
                        && given.stream()
                                .anyMatch(
                                        each ->
                                                each.has("wires")
                                                        || each.path("config").has("wires"));
        Map<String, List<Flow.Edge>> incoming = wired ? Map.of() : edges(flow.path("edges"));
        Map<String, FlowNode> nodes = new LinkedHashMap<>();
        String start = "";
        for (int i = 0; i < given.size(); i++) {
            String member = "nodes[%d]".formatted(i);
            ObjectNode each = given.get(i);
            String id = each.path("id").asString("");
            if (!ID.matcher(id).matches()) {
                throw RuleFault.condition(
                        member + ".id", "A node has an id of letters and digits.");
            }
            if (each.path("type").asString("").equals("start")) {
                if (!start.isEmpty()) {
                    throw RuleFault.condition(member, "A flow has one start.");
                }
                start = id;
            }
            List<String> before =
                    incoming.getOrDefault(id, List.of()).stream().map(Flow.Edge::from).toList();
            if (nodes.put(id, new FlowNode(id, work(each, member, before))) != null) {
                throw RuleFault.condition(
                        member + ".id", "Two nodes are called '%s'.".formatted(id));
            }
        }
        if (wired) {
            return walk(given, nodes, start);
        }
        for (List<Flow.Edge> edges : incoming.values()) {
            for (Flow.Edge each : edges) {
                if (!nodes.containsKey(each.from()) || !nodes.containsKey(each.to())) {
                    throw RuleFault.condition(
                            "edges",
                            "An edge from '%s' to '%s' has no node at one of its ends."
                                    .formatted(
                                            SourceRef.shortened(each.from()),
                                            SourceRef.shortened(each.to())));
                }
            }
        }
        return new Flow.Dag(Flow.sorted(List.copyOf(nodes.values()), incoming), incoming);
    }

    private static List<ObjectNode> nodes(JsonNode list) throws RuleFault {
        List<ObjectNode> nodes = new ArrayList<>();
        if (list instanceof ObjectNode named) {
            for (Map.Entry<String, JsonNode> each : named.properties()) {
                if (each.getValue() instanceof ObjectNode node) {
                    ObjectNode copy = node.deepCopy();
                    copy.put("id", each.getKey());
                    nodes.add(copy);
                }
            }
        }
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            if (!(list.get(i) instanceof ObjectNode node)) {
                throw RuleFault.condition("nodes[%d]".formatted(i), "A node is an object.");
            }
            nodes.add(node);
        }
        if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
            throw RuleFault.condition("nodes", "A flow has 1 to %d nodes.".formatted(MOST_NODES));
        }
        return nodes;
    }

    // ------------------------------------------------------------------ edges and wires

    private Map<String, List<Flow.Edge>> edges(JsonNode list) throws RuleFault {
        Map<String, List<Flow.Edge>> incoming = new LinkedHashMap<>();
        if (list.isMissingNode() || list.isNull()) {
            return incoming;
        }
        if (!list.isArray() || list.size() > MOST_EDGES) {
            throw RuleFault.condition(
                    "edges", "edges is a list of at most %d edges.".formatted(MOST_EDGES));
        }
        for (int i = 0; i < list.size(); i++) {
            JsonNode each = list.get(i);
            String member = "edges[%d]".formatted(i);
            String from = each.path(each.has("from") ? "from" : "source").asString("");
            String to = each.path(each.has("to") ? "to" : "target").asString("");
            JsonNode condition = each.path("condition");
            Optional<Boolean> wanted = Optional.empty();
            Optional<Expression> expression = Optional.empty();
            String text =
                    condition.isBoolean() ? "" + condition.asBoolean() : condition.asString("");
            switch (text.toLowerCase(Locale.ROOT)) {
                case "" -> {}
                case "true" -> wanted = Optional.of(true);
                case "false" -> wanted = Optional.of(false);
                default -> expression = Optional.of(reader.expression(text, member + ".condition"));
            }
            incoming.computeIfAbsent(to, none -> new ArrayList<>())
                    .add(new Flow.Edge(from, to, wanted, expression));
        }
        return incoming;
    }

    private static Flow walk(List<ObjectNode> given, Map<String, FlowNode> nodes, String start)
            throws RuleFault {
        if (start.isEmpty()) {
            throw RuleFault.condition("nodes", "A flow with wires has a node of type start.");
        }
        Map<String, Map<String, List<String>>> wires = new LinkedHashMap<>();
        for (int i = 0; i < given.size(); i++) {
            ObjectNode each = given.get(i);
            String member = "nodes[%d].wires".formatted(i);
            JsonNode ports =
                    each.has("wires") ? each.path("wires") : each.path("config").path("wires");
            Map<String, List<String>> ofNode = new LinkedHashMap<>();
            if (ports instanceof ObjectNode named) {
                for (Map.Entry<String, JsonNode> port : named.properties()) {
                    ofNode.put(port.getKey(), targets(port.getValue(), nodes, member));
                }
            } else if (!ports.isMissingNode() && !ports.isNull()) {
                ofNode.put(Flow.Walk.DEFAULT, targets(ports, nodes, member));
            }
            wires.put(each.path("id").asString(""), ofNode);
        }
        return new Flow.Walk(start, nodes, wires);
    }

    private static List<String> targets(JsonNode list, Map<String, FlowNode> nodes, String member)
            throws RuleFault {
        List<String> targets = new ArrayList<>();
        for (JsonNode each : list.isArray() ? list : List.of(list)) {
            // Some write a list for each port of the list.
            for (JsonNode one : each.isArray() ? each : List.of(each)) {
                String id = one.asString("");
                if (!nodes.containsKey(id)) {
                    throw RuleFault.condition(
                            member,
                            "A wire leads to '%s', which is not a node."
                                    .formatted(SourceRef.shortened(id)));
                }
                targets.add(id);
            }
        }
        return targets;
    }

    // ------------------------------------------------------------------ nodes

    private FlowNode.Work work(ObjectNode node, String member, List<String> before)
            throws RuleFault {
        ObjectNode config = node.path("config") instanceof ObjectNode inner ? inner : node;
        String place = member + ".config";
        return switch (node.path("type").asString("")) {
            case "start", "end" -> new FlowNode.Work.Mark();
            case "input" ->
                    new FlowNode.Work.Input(
                            Fields.source(config, place),
                            config.has("default")
                                    ? Optional.of(Fields.value(config.path("default"), place))
                                    : Optional.empty());
            case "condition" -> new FlowNode.Work.Decide(condition(config, place, before));
            case "switch" -> branches(config, place);
            case "transform" -> transform(config, place, before);
            case "calculation" -> calculation(config, place);
            case "aggregate" -> gather(config, place, before);
            case "action" -> new FlowNode.Work.Act(List.of(Action.read(config, place, reader)));
            case "change_value", "changeValue", "change-value", "set_value" ->
                    new FlowNode.Work.Act(changes(config, place));
            default ->
                    throw RuleFault.condition(
                            member + ".type",
                            "'%s' is not a type of node."
                                    .formatted(
                                            SourceRef.shortened(node.path("type").asString(""))));
        };
    }

    private Condition condition(ObjectNode config, String member, List<String> before)
            throws RuleFault {
        if (config.path("condition").isString()) {
            return reader.formula(config.path("condition").asString(), member + ".condition");
        }
        boolean named =
                config.has("source")
                        || config.has("variable")
                        || config.has("left")
                        || config.has("conditions")
                        || config.has("expression");
        if (!named && before.size() == 1) {
            // What the node before came to is compared.
            return reader.test(
                    new Condition.Subject.OfExpression(
                            reader.expression(of(before.getFirst()), member)),
                    config,
                    member);
        }
        return reader.any(config, member, 0);
    }

    private FlowNode.Work branches(ObjectNode config, String member) throws RuleFault {
        String name = config.has("branches") ? "branches" : config.has("rules") ? "rules" : "rule";
        JsonNode list = config.path(name);
        if (!list.isArray() || list.isEmpty()) {
            throw RuleFault.condition(member + "." + name, "A switch has a list of branches.");
        }
        List<FlowNode.Branch> branches = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String place = "%s.%s[%d]".formatted(member, name, i);
            if (!(list.get(i) instanceof ObjectNode branch)) {
                throw RuleFault.condition(place, "A branch is an object.");
            }
            String port = branch.path(branch.has("port") ? "port" : "name").asString("");
            if (port.isEmpty()) {
                throw RuleFault.condition(place + ".port", "A branch names its port.");
            }
            branches.add(new FlowNode.Branch(port, branch(branch, place)));
        }
        String otherwise = config.path("default").asString("");
        return new FlowNode.Work.Switch(
                branches, otherwise.isEmpty() ? Optional.empty() : Optional.of(otherwise));
    }

    /** Conditions with a relation between each two, taken from left to right. */
    private Condition branch(ObjectNode branch, String member) throws RuleFault {
        String name = branch.has("rule") ? "rule" : "conditions";
        if (!(branch.path(name) instanceof ArrayNode list)) {
            return condition(branch, member, List.of());
        }
        Condition whole = null;
        boolean all = true;
        for (int i = 0; i < list.size(); i++) {
            JsonNode each = list.get(i);
            String place = "%s.%s[%d]".formatted(member, name, i);
            String relation =
                    each.isString()
                            ? each.asString()
                            : each.path("type").asString("").equals("relation")
                                    ? each.path("value").asString("")
                                    : "";
            if (!relation.isEmpty()) {
                all = relation.equals("&&") || relation.equalsIgnoreCase("and");
                continue;
            }
            if (!(each instanceof ObjectNode object)) {
                throw RuleFault.condition(place, "A condition is an object.");
            }
            Condition next = reader.any(named(object), place, 0);
            whole = whole == null ? next : new Condition.Group(all, List.of(whole, next));
        }
        if (whole == null) {
            throw RuleFault.condition(member + "." + name, "A branch has a condition.");
        }
        return whole;
    }

    /** A variable under the name that another version has for it. */
    private static ObjectNode named(ObjectNode object) {
        if (object.has("variables") && !object.has("variable")) {
            ObjectNode copy = object.deepCopy();
            copy.set("variable", object.path("variables"));
            return copy;
        }
        return object;
    }

    private FlowNode.Work transform(ObjectNode config, String member, List<String> before)
            throws RuleFault {
        String kind = config.path(config.has("operation") ? "operation" : "type").asString("scale");
        String input = operand(config, config.has("input") ? "input" : "a", before, member);
        String formula =
                switch (kind) {
                    case "scale" ->
                            "(%s) * (%s) + (%s)"
                                    .formatted(
                                            input,
                                            text(config, "factor", "1"),
                                            text(config, "offset", "0"));
                    case "threshold" ->
                            "if((%s) > (%s), 1, 0)"
                                    .formatted(input, text(config, "threshold", "0"));
                    case "calculate" -> {
                        String operator = config.path("operator").asString("");
                        if (!Set.of("+", "-", "*", "/").contains(operator)) {
                            throw RuleFault.condition(
                                    member + ".operator", "A calculation is one of + - * /.");
                        }
                        yield "(%s) %s (%s)"
                                .formatted(
                                        input, operator, operand(config, "b", List.of(), member));
                    }
                    default ->
                            throw RuleFault.condition(
                                    member + ".operation",
                                    "A transform is scale, threshold or calculate.");
                };
        return new FlowNode.Work.Calculate(
                List.of(
                        new FlowNode.Output(
                                config.path("output").asString(""),
                                reader.expression(formula, member))));
    }

    private static String text(ObjectNode config, String name, String standard) {
        JsonNode node = config.path(name);
        return node.isNumber() || node.isString() ? node.asString() : standard;
    }

    private static String operand(
            ObjectNode config, String name, List<String> before, String member) throws RuleFault {
        JsonNode node = config.path(name);
        if (node.isNumber() || (node.isString() && !node.asString().isEmpty())) {
            return node.asString();
        }
        if (before.size() == 1) {
            return of(before.getFirst());
        }
        throw RuleFault.condition(member + "." + name, "This is missing.");
    }

    /** The result of a node, in an expression. */
    private static String of(String node) {
        return "${" + node + "}";
    }

    private FlowNode.Work calculation(ObjectNode config, String member) throws RuleFault {
        String name =
                config.has("calculations")
                        ? "calculations"
                        : config.has("rule") ? "rule" : "outputs";
        JsonNode list = config.path(name);
        List<FlowNode.Output> outputs = new ArrayList<>();
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            String place = "%s.%s[%d]".formatted(member, name, i);
            outputs.add(
                    new FlowNode.Output(
                            list.get(i).path("output").asString(""),
                            reader.expression(
                                    list.get(i).path("formula").asString(""), place + ".formula")));
        }
        if (outputs.isEmpty() && config.path("formula").isString()) {
            outputs.add(
                    new FlowNode.Output(
                            config.path("output").asString(""),
                            reader.expression(
                                    config.path("formula").asString(), member + ".formula")));
        }
        if (outputs.isEmpty()) {
            throw RuleFault.condition(member, "A calculation has a formula.");
        }
        return new FlowNode.Work.Calculate(outputs);
    }

    private FlowNode.Work gather(ObjectNode config, String member, List<String> before)
            throws RuleFault {
        String function =
                config.path(
                                config.has("function")
                                        ? "function"
                                        : config.has("operation") ? "operation" : "type")
                        .asString("")
                        .toLowerCase(Locale.ROOT);
        if (!GATHERS.contains(function)) {
            throw RuleFault.condition(
                    member + ".function", "An aggregate is and, or, sum, avg, min, max or count.");
        }
        List<Expression> inputs = new ArrayList<>();
        JsonNode named = config.path("inputs");
        if (named.isArray()) {
            for (JsonNode each : named) {
                String text = each.asString("");
                inputs.add(
                        reader.expression(
                                text.startsWith("$") ? text : of(text), member + ".inputs"));
            }
        } else {
            for (String each : before) {
                inputs.add(reader.expression(of(each), member));
            }
        }
        if (inputs.isEmpty()) {
            throw RuleFault.condition(member + ".inputs", "An aggregate has inputs.");
        }
        return new FlowNode.Work.Gather(function, inputs);
    }

    private List<Action> changes(ObjectNode config, String member) throws RuleFault {
        List<Action> actions = new ArrayList<>();
        JsonNode list = config.path(config.has("changes") ? "changes" : "rule");
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            actions.add(change(list.get(i), "%s[%d]".formatted(member, i)));
        }
        if (actions.isEmpty()) {
            actions.add(change(config, member));
        }
        return actions;
    }

    private Action change(JsonNode node, String member) throws RuleFault {
        if (!(node instanceof ObjectNode object)) {
            throw RuleFault.action(member, "A change is an object.");
        }
        ObjectNode action = object.deepCopy();
        action.put("type", "set_value");
        action.remove("config");
        if (!action.has("target")) {
            action.set("target", object.path("variable").deepCopy());
        }
        return Action.read(action, member, reader);
    }
}
