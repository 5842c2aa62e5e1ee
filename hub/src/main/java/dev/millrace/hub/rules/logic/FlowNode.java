package dev.millrace.hub.rules.logic;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * One node of a flow.
 *
 * @param work what it does when it is its turn
 */
record FlowNode(String id, Work work) {

    /** What a node does; its result is a variable named after it. */
    sealed interface Work {
        /** Where it begins, or ends. */
        record Mark() implements Work {}

        record Input(SourceRef source, Optional<Object> otherwise) implements Work {}

        record Decide(Condition condition) implements Work {}

        /** The first branch that holds says which port is taken. */
        record Switch(List<Branch> branches, Optional<String> otherwise) implements Work {}

        /** One or several results of expressions, each with its name. */
        record Calculate(List<Output> outputs) implements Work {}

        record Gather(String function, List<Expression> inputs) implements Work {}

        record Act(List<Action> actions) implements Work {}
    }

    record Branch(String port, Condition condition) {}

    record Output(String name, Expression formula) {}

    /** What it came to; empty if there is nothing to be said. */
    @Nullable Object run(Sight sight, List<Action.Planned> planned) throws Expression.Failure {
        return switch (work) {
            case Work.Mark mark -> true;
            case Work.Input(SourceRef source, Optional<Object> otherwise) -> {
                String value = sight.value(source);
                if (value != null) {
                    yield Numeric.read(value);
                }
                yield otherwise.orElseThrow(
                        () ->
                                new Expression.Failure(
                                        "%s: %s has no value.".formatted(id, source.text())));
            }
            case Work.Decide(Condition condition) -> condition.holds(sight);
            case Work.Switch(List<Branch> branches, Optional<String> otherwise) ->
                    port(sight, branches, otherwise);
            case Work.Calculate(List<Output> outputs) -> {
                Object last = null;
                for (Output each : outputs) {
                    last = each.formula.value(sight);
                    if (!each.name.isEmpty()) {
                        sight.set(each.name, last);
                    }
                }
                yield last;
            }
            case Work.Gather(String function, List<Expression> inputs) ->
                    gathered(sight, function, inputs);
            case Work.Act(List<Action> actions) -> {
                for (Action each : actions) {
                    planned.add(each.planned(sight));
                }
                yield true;
            }
        };
    }

    private Object port(Sight sight, List<Branch> branches, Optional<String> otherwise)
            throws Expression.Failure {
        for (Branch each : branches) {
            if (each.condition.holds(sight)) {
                return each.port;
            }
        }
        return otherwise.orElseThrow(() -> new Expression.Failure("NO_BRANCH: " + id));
    }

    private static Object gathered(Sight sight, String function, List<Expression> inputs)
            throws Expression.Failure {
        List<Object> values = new ArrayList<>();
        for (Expression each : inputs) {
            values.add(each.value(sight));
        }
        DoubleStream numbers = values.stream().mapToDouble(Numeric::of);
        return switch (function) {
            case "and" -> values.stream().allMatch(Numeric::truth);
            case "or" -> values.stream().anyMatch(Numeric::truth);
            case "count" -> (double) values.stream().filter(Numeric::truth).count();
            case "sum" -> finite(OptionalDouble.of(numbers.sum()), function);
            case "avg" -> finite(numbers.average(), function);
            case "min" -> finite(numbers.min(), function);
            default -> finite(numbers.max(), function);
        };
    }

    private static double finite(OptionalDouble number, String function) throws Expression.Failure {
        double value = number.orElse(Double.NaN);
        if (!Double.isFinite(value)) {
            throw new Expression.Failure("%s needs numbers.".formatted(function));
        }
        return value;
    }

    void trace(Sight sight, String state, @Nullable Object result, String why) {
        ObjectNode line = sight.trace("node");
        line.put("node", id);
        line.put("state", state);
        if (result != null) {
            Sight.put(line, "result", result);
        }
        if (!why.isEmpty()) {
            line.put("why", why);
        }
    }
}
