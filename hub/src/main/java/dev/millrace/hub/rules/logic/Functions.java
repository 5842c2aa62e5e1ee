package dev.millrace.hub.rules.logic;

import com.google.api.expr.v1alpha1.Decl;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.EnvOption;
import org.projectnessie.cel.Library;
import org.projectnessie.cel.ProgramOption;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.BoolT;
import org.projectnessie.cel.common.types.DoubleT;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.IntT;
import org.projectnessie.cel.common.types.StringT;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.common.types.traits.Lister;
import org.projectnessie.cel.interpreter.functions.Overload;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The functions of expressions. Each takes a list of values. */
final class Functions {
    /** Whose expression is being worked out. */
    static final ScopedValue<Sight> SIGHT = ScopedValue.newInstance();

    private static final int ANY = 32;
    private static final int LONGEST_AVERAGE = 1000;
    private static final double MILLIS = 1000;

    /** How many values a function takes. */
    record Arity(int least, int most) {}

    static final Map<String, Arity> ARITIES = arities();
    private static final Map<String, Work> WORKS = new LinkedHashMap<>();
    static final Library LIBRARY;

    /** What a function does. */
    private interface Work {
        @Nullable Object of(List<Object> values) throws Expression.Failure;
    }

    private Functions() {}

    private static Map<String, Arity> arities() {
        Map<String, Arity> all = new LinkedHashMap<>();
        for (String each :
                new String[] {"abs", "sign", "sqrt", "floor", "ceil", "rate_of_change"}) {
            all.put(each, new Arity(1, 1));
        }
        for (String each : new String[] {"min", "max", "avg", "sum"}) {
            all.put(each, new Arity(1, ANY));
        }
        for (String each : new String[] {"round", "integrate"}) {
            all.put(each, new Arity(1, 2));
        }
        for (String each : new String[] {"scale", "pow", "moving_avg"}) {
            all.put(each, new Arity(2, 2));
        }
        all.put("clamp", new Arity(3, 3));
        return Map.copyOf(all);
    }

    static {
        WORKS.put("truth", values -> Numeric.truth(values.getFirst()));
        WORKS.put("same", values -> Numeric.same(values.get(0), values.get(1)));
        WORKS.put("other", values -> !Numeric.same(values.get(0), values.get(1)));
        WORKS.put("greater", values -> Numeric.of(values.get(0)) > Numeric.of(values.get(1)));
        WORKS.put("less", values -> Numeric.of(values.get(0)) < Numeric.of(values.get(1)));
        WORKS.put("at_least", values -> Numeric.of(values.get(0)) >= Numeric.of(values.get(1)));
        WORKS.put("at_most", values -> Numeric.of(values.get(0)) <= Numeric.of(values.get(1)));
        WORKS.put("plus", Functions::plus);
        numbers("minus", n -> n[0] - n[1]);
        numbers("times", n -> n[0] * n[1]);
        numbers("by", n -> n[0] / n[1]);
        numbers("mod", n -> n[0] % n[1]);
        numbers("pow", n -> Math.pow(n[0], n[1]));
        numbers("abs", n -> Math.abs(n[0]));
        numbers("sign", n -> Math.signum(n[0]));
        numbers("sqrt", n -> Math.sqrt(n[0]));
        numbers("floor", n -> Math.floor(n[0]));
        numbers("ceil", n -> Math.ceil(n[0]));
        numbers("min", n -> Arrays.stream(n).min().orElse(Double.NaN));
        numbers("max", n -> Arrays.stream(n).max().orElse(Double.NaN));
        numbers("sum", n -> Arrays.stream(n).sum());
        numbers("avg", n -> Arrays.stream(n).average().orElse(Double.NaN));
        numbers("round", n -> round(n[0], n.length > 1 ? n[1] : 0));
        numbers("clamp", n -> Math.min(Math.max(n[0], n[1]), n[2]));
        numbers("scale", n -> n[0] * n[1]);
        WORKS.put("integrate", Functions::integrate);
        WORKS.put("moving_avg", Functions::average);
        WORKS.put("rate_of_change", Functions::rate);
        List<Decl> declared = new ArrayList<>();
        List<Overload> overloads = new ArrayList<>();
        WORKS.forEach(
                (name, work) -> {
                    String function = "fn_" + name;
                    declared.add(
                            Decls.newFunction(
                                    function,
                                    Decls.newOverload(
                                            function + "_list",
                                            List.of(Decls.newListType(Decls.Dyn)),
                                            Decls.Dyn)));
                    overloads.add(Overload.unary(function, value -> run(work, value)));
                });
        LIBRARY =
                new Library() {
                    @Override
                    public List<EnvOption> getCompileOptions() {
                        return List.of(EnvOption.clearMacros(), EnvOption.declarations(declared));
                    }

                    @Override
                    public List<ProgramOption> getProgramOptions() {
                        return List.of(ProgramOption.functions(overloads.toArray(new Overload[0])));
                    }
                };
    }

    private static void numbers(String name, ToDoubleFunction<double[]> work) {
        WORKS.put(
                name,
                values -> {
                    double[] numbers = new double[values.size()];
                    for (int i = 0; i < numbers.length; i++) {
                        numbers[i] = number(values.get(i));
                    }
                    return work.applyAsDouble(numbers);
                });
    }

    private static double number(Object value) throws Expression.Failure {
        double number = Numeric.of(value);
        if (Double.isNaN(number)) {
            throw new Expression.Failure(
                    "'%s' is not a number.".formatted(SourceRef.shortened(Numeric.text(value))));
        }
        return number;
    }

    private static Val run(Work work, Val list) {
        List<Object> values = new ArrayList<>();
        if (list instanceof Lister lister) {
            int size = (int) lister.size().intValue();
            for (int i = 0; i < size; i++) {
                Val each = lister.get(IntT.intOf(i));
                if (Err.isError(each)) {
                    return each;
                }
                values.add(each.value());
            }
        }
        try {
            return switch (work.of(values)) {
                case Boolean truth -> truth ? BoolT.True : BoolT.False;
                case Number number -> DoubleT.doubleOf(number.doubleValue());
                case null -> Err.newErr("It has no value.");
                case Object text -> StringT.stringOf(String.valueOf(text));
            };
        } catch (Expression.Failure e) {
            return Err.newErr("%s", String.valueOf(e.getMessage()));
        }
    }

    private static Object plus(List<Object> values) throws Expression.Failure {
        double one = Numeric.of(values.get(0));
        double other = Numeric.of(values.get(1));
        if (Double.isNaN(one) || Double.isNaN(other)) {
            return Numeric.text(values.get(0)) + Numeric.text(values.get(1));
        }
        return one + other;
    }

    private static double round(double number, double digits) {
        if (!Double.isFinite(number)) {
            return number;
        }
        int places = (int) Math.clamp(digits, 0, 15);
        return BigDecimal.valueOf(number).setScale(places, RoundingMode.HALF_UP).doubleValue();
    }

    // ------------------------------------------------------------------ those that remember

    /** Under which name a function keeps what it gathers: of one place in the rule. */
    static String key(String place, int number) {
        return place.replaceAll("[^A-Za-z0-9_.-]", "_") + "." + number;
    }

    private static Object integrate(List<Object> values) throws Expression.Failure {
        Sight sight = SIGHT.get();
        String key = String.valueOf(values.get(0));
        double now = number(values.get(1));
        double factor = values.size() > 2 ? number(values.get(2)) : 1;
        JsonNode before = sight.memory().gathered(key);
        double sum = before.path("sum").asDouble(0);
        if (before.has("at")) {
            double seconds = Math.max(0, sight.now() - before.path("at").asLong()) / MILLIS;
            sum += (before.path("x").asDouble() + now) / 2 * seconds * factor;
        }
        ObjectNode state = Json.MAPPER.createObjectNode();
        state.put("sum", sum);
        state.put("x", now);
        state.put("at", sight.now());
        sight.memory().gather(key, state);
        return sum;
    }

    private static Object average(List<Object> values) throws Expression.Failure {
        Sight sight = SIGHT.get();
        String key = String.valueOf(values.get(0));
        double now = number(values.get(1));
        int most = (int) Math.clamp(number(values.get(2)), 1, LONGEST_AVERAGE);
        ArrayNode last = Json.MAPPER.createArrayNode();
        JsonNode before = sight.memory().gathered(key).path("last");
        for (int i = Math.max(0, before.size() - most + 1); i < before.size(); i++) {
            last.add(before.get(i).asDouble(0));
        }
        last.add(now);
        ObjectNode state = Json.MAPPER.createObjectNode();
        state.set("last", last);
        sight.memory().gather(key, state);
        double sum = 0;
        for (JsonNode each : last) {
            sum += each.asDouble();
        }
        return sum / last.size();
    }

    private static Object rate(List<Object> values) throws Expression.Failure {
        Sight sight = SIGHT.get();
        String key = String.valueOf(values.get(0));
        double now = number(values.get(1));
        JsonNode before = sight.memory().gathered(key);
        double seconds = Math.max(0, sight.now() - before.path("at").asLong(sight.now())) / MILLIS;
        ObjectNode state = Json.MAPPER.createObjectNode();
        state.put("x", now);
        state.put("at", sight.now());
        sight.memory().gather(key, state);
        return before.has("at") && seconds > 0
                ? (now - before.path("x").asDouble()) / seconds
                : 0.0;
    }
}
