package dev.millrace.hub.rules.logic;

import com.google.re2j.Pattern;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/** When a rule acts. */
public sealed interface Condition {

    /** Whether it holds now. */
    boolean holds(Sight sight) throws Expression.Failure;

    /** Every source that it looks at. */
    void sources(Set<SourceRef> into);

    /**
     * One value compared.
     *
     * @param name under which its state is kept: its place in the rule
     * @param subject a source or, in a flow, a variable
     * @param durationMillis how long it must have held
     */
    record Test(
            String name,
            Subject subject,
            Operator operator,
            List<Object> operands,
            @Nullable Pattern pattern,
            long durationMillis)
            implements Condition {

        @Override
        public boolean holds(Sight sight) throws Expression.Failure {
            Object seen = subject.see(sight);
            ObjectNode line = sight.trace("condition");
            line.put("condition", name);
            line.put("source", subject.text());
            line.put("operator", operator.word());
            if (!operands.isEmpty()) {
                Sight.put(line, "value", operands.size() == 1 ? operands.getFirst() : operands);
            }
            Sight.put(line, "seen", seen);
            boolean holds = compare(seen, sight);
            if (durationMillis > 0) {
                holds = lasts(holds, sight, line);
            }
            line.put("result", holds);
            return holds;
        }

        private boolean compare(@Nullable Object seen, Sight sight) {
            if (operator == Operator.NOT_EXISTS) {
                return seen == null;
            }
            if (seen == null) {
                return false;
            }
            if (operator == Operator.CHANGED) {
                return sight.memory().isNew(name, Numeric.text(seen));
            }
            return operator.holds(seen, operands, pattern);
        }

        private boolean lasts(boolean holds, Sight sight, ObjectNode line) {
            if (!holds) {
                sight.memory().doesNotHold(name);
                return false;
            }
            long since = sight.memory().holdsSince(name, sight.now());
            line.put("held_ms", sight.now() - since);
            if (sight.now() - since >= durationMillis) {
                return true;
            }
            sight.lookAgain(since + durationMillis);
            return false;
        }

        @Override
        public void sources(Set<SourceRef> into) {
            subject.sources(into);
        }
    }

    /** What is looked at. */
    sealed interface Subject {
        /** Null if it is missing. */
        @Nullable Object see(Sight sight) throws Expression.Failure;

        String text();

        void sources(Set<SourceRef> into);

        record OfSource(SourceRef source) implements Subject {
            @Override
            public @Nullable Object see(Sight sight) {
                String value = sight.value(source);
                return value == null ? null : Numeric.read(value);
            }

            @Override
            public String text() {
                return source.text();
            }

            @Override
            public void sources(Set<SourceRef> into) {
                into.add(source);
            }
        }

        record OfExpression(Expression expression) implements Subject {
            @Override
            public @Nullable Object see(Sight sight) throws Expression.Failure {
                return expression.valueOrNull(sight);
            }

            @Override
            public String text() {
                return expression.text();
            }

            @Override
            public void sources(Set<SourceRef> into) {
                expression.sources(into);
            }
        }
    }

    /**
     * Several of which all, or one, must hold. Those that must last are looked at in every case.
     */
    record Group(boolean all, List<Condition> parts) implements Condition {
        public Group {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean holds(Sight sight) throws Expression.Failure {
            boolean decided = false;
            for (Condition each : parts) {
                if (!decided) {
                    decided = each.holds(sight) != all;
                } else if (each.lasting()) {
                    boolean unheard = each.holds(sight);
                    sight.trace("group").put("looked_at_only", unheard);
                }
            }
            return decided != all;
        }

        @Override
        public void sources(Set<SourceRef> into) {
            parts.forEach(each -> each.sources(into));
        }
    }

    /** An expression that comes to a truth. */
    record Formula(Expression expression) implements Condition {
        @Override
        public boolean holds(Sight sight) throws Expression.Failure {
            ObjectNode line = sight.trace("expression");
            line.put("expression", expression.text());
            Object value = expression.valueOrNull(sight);
            boolean holds = Numeric.truth(value);
            Sight.put(line, "value", value);
            line.put("result", holds);
            return holds;
        }

        @Override
        public void sources(Set<SourceRef> into) {
            expression.sources(into);
        }
    }

    /** Whether something in it must have held for a while. */
    default boolean lasting() {
        return switch (this) {
            case Test test -> test.durationMillis > 0;
            case Group group -> group.parts.stream().anyMatch(Condition::lasting);
            case Formula formula -> false;
        };
    }
}
