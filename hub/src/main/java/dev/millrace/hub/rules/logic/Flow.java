package dev.millrace.hub.rules.logic;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A rule as a graph, in one of its two encodings: nodes in the order of what they depend on, or a
 * walk from the start along wires.
 */
sealed interface Flow {
    int MOST_STEPS = 100;

    Rule.Verdict run(Sight sight) throws Expression.Failure;

    void sources(Set<SourceRef> into);

    /**
     * An edge.
     *
     * @param wanted what the result of its beginning must be; empty if that does not matter
     * @param condition an expression that must hold; empty if there is none
     */
    record Edge(String from, String to, Optional<Boolean> wanted, Optional<Expression> condition) {}

    private static void sources(FlowNode node, Set<SourceRef> into) {
        switch (node.work()) {
            case FlowNode.Work.Mark mark -> {}
            case FlowNode.Work.Input input -> into.add(input.source());
            case FlowNode.Work.Decide decide -> decide.condition().sources(into);
            case FlowNode.Work.Switch one ->
                    one.branches().forEach(each -> each.condition().sources(into));
            case FlowNode.Work.Calculate calculate ->
                    calculate.outputs().forEach(each -> each.formula().sources(into));
            case FlowNode.Work.Gather gather -> gather.inputs().forEach(each -> each.sources(into));
            case FlowNode.Work.Act act -> {}
        }
    }

    /**
     * Nodes that run when all that leads to them has been passed.
     *
     * @param nodes each behind those that it depends on
     */
    record Dag(List<FlowNode> nodes, Map<String, List<Edge>> incoming) implements Flow {

        @Override
        public void sources(Set<SourceRef> into) {
            nodes.forEach(each -> Flow.sources(each, into));
            incoming.values()
                    .forEach(
                            edges ->
                                    edges.forEach(
                                            edge ->
                                                    edge.condition.ifPresent(
                                                            each -> each.sources(into))));
        }

        @Override
        public Rule.Verdict run(Sight sight) throws Expression.Failure {
            List<Action.Planned> planned = new ArrayList<>();
            Map<String, Object> completed = new HashMap<>();
            String error = "";
            boolean acted = false;
            for (FlowNode node : nodes) {
                String why = blocked(node, completed, sight);
                if (!why.isEmpty()) {
                    node.trace(sight, "skipped", null, why);
                    continue;
                }
                try {
                    sight.passes(node.id());
                    Object result = node.run(sight, planned);
                    completed.put(node.id(), result == null ? true : result);
                    sight.set(node.id(), result == null ? true : result);
                    node.trace(sight, "completed", result, "");
                    acted |= node.work() instanceof FlowNode.Work.Act;
                } catch (Expression.Failure e) {
                    error = error.isEmpty() ? String.valueOf(e.getMessage()) : error;
                    node.trace(sight, "failed", null, String.valueOf(e.getMessage()));
                }
            }
            return new Rule.Verdict(acted, planned, error, "");
        }

        /** Why it is not its turn; empty if it is. */
        private String blocked(FlowNode node, Map<String, Object> completed, Sight sight)
                throws Expression.Failure {
            for (Edge each : incoming.getOrDefault(node.id(), List.of())) {
                Object result = completed.get(each.from);
                if (result == null) {
                    return each.from + " was not completed";
                }
                if (each.wanted.isPresent() && Numeric.truth(result) != each.wanted.get()) {
                    return each.from + " is " + Numeric.text(result);
                }
                if (each.condition.isPresent()
                        && !Numeric.truth(each.condition.get().valueOrNull(sight))) {
                    return each.condition.get().text() + " does not hold";
                }
            }
            return "";
        }
    }

    /**
     * A walk along wires.
     *
     * @param wires by node and port, where they lead to
     */
    record Walk(
            String start, Map<String, FlowNode> nodes, Map<String, Map<String, List<String>>> wires)
            implements Flow {
        static final String DEFAULT = "default";

        @Override
        public void sources(Set<SourceRef> into) {
            nodes.values().forEach(each -> Flow.sources(each, into));
        }

        @Override
        public Rule.Verdict run(Sight sight) {
            List<Action.Planned> planned = new ArrayList<>();
            Deque<String> next = new ArrayDeque<>(List.of(start));
            String error = "";
            boolean acted = false;
            int steps = 0;
            while (!next.isEmpty() && error.isEmpty()) {
                FlowNode node = nodes.get(next.removeFirst());
                if (node == null) {
                    continue;
                }
                if (++steps > MOST_STEPS) {
                    error = "TOO_MANY_STEPS";
                    break;
                }
                try {
                    sight.passes(node.id());
                    Object result = node.run(sight, planned);
                    if (result != null) {
                        sight.set(node.id(), result);
                    }
                    node.trace(sight, "completed", result, "");
                    acted |= node.work() instanceof FlowNode.Work.Act;
                    List<String> behind = behind(node, result);
                    for (int i = behind.size() - 1; i >= 0; i--) {
                        next.addFirst(behind.get(i));
                    }
                } catch (Expression.Failure e) {
                    String why = String.valueOf(e.getMessage());
                    error = why.startsWith("NO_BRANCH") ? "NO_BRANCH" : why;
                    node.trace(sight, "failed", null, why);
                }
            }
            return new Rule.Verdict(acted, planned, error, "");
        }

        private List<String> behind(FlowNode node, @Nullable Object result) {
            Map<String, List<String>> ports = wires.getOrDefault(node.id(), Map.of());
            String port =
                    switch (node.work()) {
                        case FlowNode.Work.Switch one -> Numeric.text(result);
                        case FlowNode.Work.Decide decide -> Numeric.text(result);
                        case FlowNode.Work.Mark one -> DEFAULT;
                        case FlowNode.Work.Input one -> DEFAULT;
                        case FlowNode.Work.Calculate one -> DEFAULT;
                        case FlowNode.Work.Gather one -> DEFAULT;
                        case FlowNode.Work.Act one -> DEFAULT;
                    };
            List<String> wanted = ports.get(port);
            if (wanted != null) {
                return wanted;
            }
            // A condition with one port alone goes on there when it holds.
            boolean goesOn =
                    !(node.work() instanceof FlowNode.Work.Decide) || Numeric.truth(result);
            return goesOn ? ports.getOrDefault(DEFAULT, List.of()) : List.of();
        }
    }

    /** The nodes in the order of what they depend on; refused if they go round in a circle. */
    static List<FlowNode> sorted(List<FlowNode> nodes, Map<String, List<Edge>> incoming)
            throws RuleFault {
        Map<String, FlowNode> byId = new HashMap<>();
        nodes.forEach(each -> byId.put(each.id(), each));
        List<FlowNode> sorted = new ArrayList<>();
        Set<String> placed = new HashSet<>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (FlowNode each : nodes) {
                boolean ready =
                        incoming.getOrDefault(each.id(), List.of()).stream()
                                .allMatch(edge -> placed.contains(edge.from));
                if (ready && placed.add(each.id())) {
                    sorted.add(each);
                    moved = true;
                }
            }
        }
        if (sorted.size() < nodes.size()) {
            List<String> round =
                    nodes.stream().map(FlowNode::id).filter(id -> !placed.contains(id)).toList();
            throw new RuleFault(
                    RuleFault.Code.RULE_CYCLE,
                    "edges",
                    "These nodes depend on each other: %s."
                            .formatted(SourceRef.shortened(String.join(", ", round))));
        }
        return sorted;
    }
}
