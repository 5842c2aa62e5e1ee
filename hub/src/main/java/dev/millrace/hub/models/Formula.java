package dev.millrace.hub.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What a computed member is worked out by: numbers, names of other members, + - * / % ^,
 * comparisons, {@code && || !}, {@code if(c,a,b)} and some functions. Read once, evaluated often;
 * there are no loops in it, so its cost is its length. Immutable.
 */
final class Formula {
    static final int LONGEST = 1000;
    private static final int DEEPEST = 64;
    private static final Set<String> FUNCTIONS =
            Set.of(
                    "abs", "min", "max", "avg", "sum", "round", "sign", "clamp", "scale", "sqrt",
                    "pow", "floor", "ceil", "if");
    private static final Map<String, Integer> ARGUMENTS =
            Map.of(
                    "abs", 1, "round", -1, "sign", 1, "clamp", 3, "scale", 2, "sqrt", 1, "pow", 2,
                    "floor", 1, "ceil", 1, "if", 3);

    /** Gives a value from those of the members. */
    private interface Node extends ToDoubleFunction<Map<String, Double>> {}

    private final Node root;
    private final Set<String> names;

    private Formula(Node root, Set<String> names) {
        this.root = root;
        this.names = names;
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException saying what cannot be read
     */
    static Formula of(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "it is longer than %d characters".formatted(LONGEST));
        }
        Parser parser = new Parser(text);
        Node root = parser.either();
        parser.end();
        return new Formula(root, Set.copyOf(parser.names));
    }

    /** The members that it needs. */
    Set<String> names() {
        return names;
    }

    /**
     * Works it out; NaN or infinite if it cannot be, as by a division by zero.
     *
     * @param values of all {@link #names}
     */
    double of(Map<String, Double> values) {
        return root.applyAsDouble(values);
    }

    /** By descent, one method for each strength of binding. */
    private static final class Parser {
        private final String text;
        private final Set<String> names = new LinkedHashSet<>();
        private int at;
        private int depth;

        Parser(String text) {
            this.text = text;
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("%s at character %d".formatted(what, at + 1));
        }

        private void skip() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private boolean take(String word) {
            skip();
            if (!text.startsWith(word, at)) {
                return false;
            }
            boolean letters = Character.isLetter(word.charAt(0));
            int after = at + word.length();
            if (letters && after < text.length() && isName(text.charAt(after))) {
                return false;
            }
            at = after;
            return true;
        }

        void end() {
            skip();
            if (at < text.length()) {
                throw wrong("something is left over");
            }
        }

        Node either() {
            if (++depth > DEEPEST) {
                throw wrong("it is nested too deeply");
            }
            Node left = both();
            while (take("||") || take("OR")) {
                Node one = left;
                Node other = both();
                left = v -> truth(isTrue(one, v) || isTrue(other, v));
            }
            depth--;
            return left;
        }

        private Node both() {
            Node left = compared();
            while (take("&&") || take("AND")) {
                Node one = left;
                Node other = compared();
                left = v -> truth(isTrue(one, v) && isTrue(other, v));
            }
            return left;
        }

        private Node compared() {
            Node left = sum();
            for (String sign : List.of("<=", ">=", "==", "!=", "<", ">")) {
                if (take(sign)) {
                    Node right = sum();
                    return v -> truth(holds(sign, left.applyAsDouble(v), right.applyAsDouble(v)));
                }
            }
            return left;
        }

        private static boolean holds(String sign, double one, double other) {
            return switch (sign) {
                case "<=" -> one <= other;
                case ">=" -> one >= other;
                case "==" -> one == other;
                case "!=" -> one != other;
                case "<" -> one < other;
                default -> one > other;
            };
        }

        private Node sum() {
            Node left = product();
            while (true) {
                Node one = left;
                if (take("+")) {
                    Node other = product();
                    left = v -> one.applyAsDouble(v) + other.applyAsDouble(v);
                } else if (take("-")) {
                    Node other = product();
                    left = v -> one.applyAsDouble(v) - other.applyAsDouble(v);
                } else {
                    return left;
                }
            }
        }

        private Node product() {
            Node left = signed();
            while (true) {
                Node one = left;
                if (take("*")) {
                    Node other = signed();
                    left = v -> one.applyAsDouble(v) * other.applyAsDouble(v);
                } else if (take("/")) {
                    Node other = signed();
                    left = v -> one.applyAsDouble(v) / other.applyAsDouble(v);
                } else if (take("%")) {
                    Node other = signed();
                    left = v -> one.applyAsDouble(v) % other.applyAsDouble(v);
                } else {
                    return left;
                }
            }
        }

        private Node signed() {
            if (++depth > DEEPEST) {
                throw wrong("it is nested too deeply");
            }
            try {
                if (take("-")) {
                    Node inner = signed();
                    return v -> -inner.applyAsDouble(v);
                }
                if (take("NOT") || (!text.startsWith("!=", at) && take("!"))) {
                    Node inner = signed();
                    return v -> truth(!isTrue(inner, v));
                }
                Node base = atom();
                if (take("^")) {
                    Node exponent = signed();
                    return v -> Math.pow(base.applyAsDouble(v), exponent.applyAsDouble(v));
                }
                return base;
            } finally {
                depth--;
            }
        }

        private Node atom() {
            skip();
            if (at >= text.length()) {
                throw wrong("something is missing");
            }
            char first = text.charAt(at);
            if (take("(")) {
                Node inner = either();
                must(")");
                return inner;
            }
            if ((first >= '0' && first <= '9') || first == '.') {
                return number();
            }
            if (!Character.isLetter(first) && first != '_') {
                throw wrong("a number or a name is expected");
            }
            int from = at;
            while (at < text.length() && isName(text.charAt(at))) {
                at++;
            }
            String name = text.substring(from, at);
            if (name.equals("true") || name.equals("false")) {
                double value = truth(name.equals("true"));
                return v -> value;
            }
            if (take("(")) {
                return function(name);
            }
            names.add(name);
            return v -> v.getOrDefault(name, Double.NaN);
        }

        private void must(String word) {
            if (!take(word)) {
                throw wrong("%s is expected".formatted(word));
            }
        }

        private Node number() {
            int from = at;
            while (at < text.length()
                    && ("0123456789.".indexOf(text.charAt(at)) >= 0
                            || "eE".indexOf(text.charAt(at)) >= 0
                            || ("+-".indexOf(text.charAt(at)) >= 0
                                    && "eE".indexOf(text.charAt(at - 1)) >= 0))) {
                at++;
            }
            try {
                double value = Double.parseDouble(text.substring(from, at));
                return v -> value;
            } catch (NumberFormatException e) {
                at = from;
                throw wrong("this is not a number");
            }
        }

        private Node function(String name) {
            if (!FUNCTIONS.contains(name)) {
                throw wrong("there is no function %s".formatted(name));
            }
            List<Node> given = new ArrayList<>();
            if (!take(")")) {
                do {
                    given.add(either());
                } while (take(","));
                must(")");
            }
            int wanted = ARGUMENTS.getOrDefault(name, 0);
            boolean fits =
                    wanted == 0
                            ? !given.isEmpty()
                            : wanted < 0
                                    ? given.size() == 1 || given.size() == 2
                                    : given.size() == wanted;
            if (!fits) {
                throw wrong("%s takes another number of arguments".formatted(name));
            }
            if (name.equals("if")) {
                return v -> given.get(isTrue(given.get(0), v) ? 1 : 2).applyAsDouble(v);
            }
            return v -> {
                double[] values = new double[given.size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = given.get(i).applyAsDouble(v);
                }
                return Formula.call(name, values);
            };
        }

        private static boolean isName(char letter) {
            return Character.isLetterOrDigit(letter) || letter == '_';
        }
    }

    private static boolean isTrue(Node node, Map<String, Double> values) {
        return node.applyAsDouble(values) != 0;
    }

    private static double truth(boolean holds) {
        return holds ? 1 : 0;
    }

    private static double call(String name, double... v) {
        return switch (name) {
            case "abs" -> Math.abs(v[0]);
            case "sign" -> Math.signum(v[0]);
            case "sqrt" -> Math.sqrt(v[0]);
            case "floor" -> Math.floor(v[0]);
            case "ceil" -> Math.ceil(v[0]);
            case "pow" -> Math.pow(v[0], v[1]);
            case "scale" -> v[0] * v[1];
            case "clamp" -> Math.max(v[1], Math.min(v[2], v[0]));
            case "round" -> rounded(v[0], v.length < 2 ? 0 : v[1]);
            case "sum" -> sum(v);
            case "avg" -> sum(v) / v.length;
            case "min" -> Arrays.stream(v).reduce(Double.POSITIVE_INFINITY, Math::min);
            default -> Arrays.stream(v).reduce(Double.NEGATIVE_INFINITY, Math::max);
        };
    }

    private static double rounded(double value, double digits) {
        double unit = Math.pow(10, Math.max(-15, Math.min(15, Math.rint(digits))));
        double scaled = value * unit;
        return Double.isInfinite(scaled) ? value : Math.rint(scaled) / unit;
    }

    private static double sum(double... values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum;
    }
}
