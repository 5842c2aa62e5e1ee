package dev.millrace.hub.rules.logic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Makes CEL of an expression. Reads it by descent, one method for each level of precedence, and
 * refuses what is too long or too deep. All numbers become doubles, and variables of CEL, so that
 * expressions that differ in numbers alone are the same to it; comparisons and what CEL has no
 * operator for become functions of ours.
 */
final class Translation {
    private static final int LONGEST = 4096;
    private static final int DEEPEST = 64;
    private static final int MOST_PARTS = 1000;

    /** Those that remember something between runs get a name for it. */
    private static final Set<String> STATEFUL = Set.of("integrate", "moving_avg", "rate_of_change");

    private final String text;
    private final String place;
    private final RuleFault.Code code;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Double> numbers = new LinkedHashMap<>();
    private int at;
    private int depth;
    private int parts;
    private int stateful;
    private String cel = "";

    private Translation(String text, String place, RuleFault.Code code) {
        this.text = text;
        this.place = place;
        this.code = code;
    }

    static Translation of(String text, String place, RuleFault.Code code) throws RuleFault {
        Translation translation = new Translation(text, place, code);
        if (text.length() > LONGEST) {
            throw translation.fault("An expression has at most %d characters.".formatted(LONGEST));
        }
        translation.cel = translation.either();
        translation.skipBlanks();
        if (translation.at < text.length()) {
            throw translation.unexpected();
        }
        return translation;
    }

    String cel() {
        return cel;
    }

    /** Variables of CEL, and the numbers that stand in their place. */
    Map<String, Double> numbers() {
        return numbers;
    }

    /** Variables of CEL, and the names that they stand for. */
    Map<String, String> names() {
        return names;
    }

    // ------------------------------------------------------------------ levels

    private String either() throws RuleFault {
        enter();
        String left = both();
        while (operator("||") || word("or")) {
            left = "(fn_truth([" + left + "]) || fn_truth([" + both() + "]))";
        }
        if (sign('?')) {
            String yes = either();
            if (!sign(':')) {
                throw unexpected();
            }
            left = "(fn_truth([" + left + "]) ? dyn(" + yes + ") : dyn(" + either() + "))";
        }
        depth--;
        return left;
    }

    private String both() throws RuleFault {
        String left = not();
        while (operator("&&") || word("and")) {
            left = "(fn_truth([" + left + "]) && fn_truth([" + not() + "]))";
        }
        return left;
    }

    private String not() throws RuleFault {
        if ((peek() == '!' && peek(1) != '=' && sign('!')) || word("not")) {
            enter();
            String inner = "(!fn_truth([" + not() + "]))";
            depth--;
            return inner;
        }
        return comparison();
    }

    private String comparison() throws RuleFault {
        String left = sum();
        String function =
                operator(">=")
                        ? "fn_at_least"
                        : operator("<=")
                                ? "fn_at_most"
                                : operator("==")
                                        ? "fn_same"
                                        : operator("!=")
                                                ? "fn_other"
                                                : sign('>')
                                                        ? "fn_greater"
                                                        : sign('<') ? "fn_less" : "";
        return function.isEmpty() ? left : function + "([" + left + ", " + sum() + "])";
    }

    private String sum() throws RuleFault {
        String left = product();
        while (true) {
            if (sign('+')) {
                left = "fn_plus([" + left + ", " + product() + "])";
            } else if (sign('-')) {
                left = "fn_minus([" + left + ", " + product() + "])";
            } else {
                return left;
            }
        }
    }

    private String product() throws RuleFault {
        String left = power();
        while (true) {
            if (sign('*')) {
                left = "fn_times([" + left + ", " + power() + "])";
            } else if (sign('/')) {
                left = "fn_by([" + left + ", " + power() + "])";
            } else if (sign('%')) {
                left = "fn_mod([" + left + ", " + power() + "])";
            } else {
                return left;
            }
        }
    }

    private String power() throws RuleFault {
        if (sign('-')) {
            enter();
            String inner = "fn_minus([0.0, " + power() + "])";
            depth--;
            return inner;
        }
        String base = primary();
        if (sign('^')) {
            enter();
            base = "fn_pow([" + base + ", " + power() + "])";
            depth--;
        }
        return base;
    }

    private String primary() throws RuleFault {
        skipBlanks();
        if (++parts > MOST_PARTS) {
            throw fault("An expression has at most %d parts.".formatted(MOST_PARTS));
        }
        char c = peek();
        if (c == '(') {
            at++;
            String inner = either();
            if (!sign(')')) {
                throw unexpected();
            }
            return "(" + inner + ")";
        }
        if ((c >= '0' && c <= '9') || c == '.') {
            return number();
        }
        if (c == '"' || c == '\'') {
            return string(c);
        }
        if (c == '$' || Character.isLetter(c) || c == '_') {
            return name();
        }
        throw unexpected();
    }

    private String number() throws RuleFault {
        int from = at;
        while (at < text.length()
                && (Character.isDigit(text.charAt(at))
                        || text.charAt(at) == '.'
                        || ((text.charAt(at) == '+' || text.charAt(at) == '-')
                                && Character.toLowerCase(text.charAt(at - 1)) == 'e')
                        || Character.toLowerCase(text.charAt(at)) == 'e')) {
            at++;
        }
        double number = Numeric.of(text.substring(from, at));
        if (!Double.isFinite(number)) {
            throw fault("'%s' is not a number.".formatted(text.substring(from, at)));
        }
        String made = "n" + numbers.size();
        numbers.put(made, number);
        return made;
    }

    private String string(char quote) throws RuleFault {
        StringBuilder out = new StringBuilder("\"");
        at++;
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                c = text.charAt(at);
            }
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            at++;
        }
        if (at >= text.length()) {
            throw fault("A text has no end.");
        }
        at++;
        return out.append('"').toString();
    }

    private String name() throws RuleFault {
        boolean marked = peek() == '$';
        if (marked) {
            at++;
            if (peek() == '{') {
                return braced();
            }
        }
        int from = at;
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        String name = text.substring(from, at);
        while (!marked && name.endsWith(".")) {
            throw unexpected();
        }
        if (name.isEmpty()) {
            throw unexpected();
        }
        skipBlanks();
        if (!marked && peek() == '(') {
            return call(name);
        }
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "true" -> "true";
            case "false" -> "false";
            default -> variable(name);
        };
    }

    /** A name with signs in it that mean something elsewhere: {@code ${node-1}}. */
    private String braced() throws RuleFault {
        int end = text.indexOf('}', at);
        if (end < at + 2) {
            throw unexpected();
        }
        String name = text.substring(at + 1, end);
        at = end + 1;
        return variable(name);
    }

    private boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private String variable(String name) {
        return variables.computeIfAbsent(
                name,
                each -> {
                    String made = "v" + names.size();
                    names.put(made, each);
                    return made;
                });
    }

    private String call(String name) throws RuleFault {
        at++;
        enter();
        List<String> arguments = new ArrayList<>();
        if (!sign(')')) {
            do {
                arguments.add(either());
            } while (sign(','));
            if (!sign(')')) {
                throw unexpected();
            }
        }
        depth--;
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("if")) {
            mustHave(name, arguments, 3, 3);
            return "(fn_truth([%s]) ? dyn(%s) : dyn(%s))"
                    .formatted(arguments.get(0), arguments.get(1), arguments.get(2));
        }
        Functions.Arity arity = Functions.ARITIES.get(lower);
        if (arity == null) {
            throw fault("There is no function '%s'.".formatted(SourceRef.shortened(name)));
        }
        mustHave(name, arguments, arity.least(), arity.most());
        if (STATEFUL.contains(lower)) {
            stateful++;
            arguments.addFirst("\"" + Functions.key(place, stateful) + "\"");
        }
        return "fn_" + lower + "([" + String.join(", ", arguments) + "])";
    }

    private void mustHave(String name, List<String> arguments, int least, int most)
            throws RuleFault {
        if (arguments.size() < least || arguments.size() > most) {
            throw fault(
                    "%s takes %s."
                            .formatted(
                                    name, least == most ? least + " values" : "at least " + least));
        }
    }

    // ------------------------------------------------------------------ characters

    private void enter() throws RuleFault {
        if (++depth > DEEPEST) {
            throw fault("An expression is nested at most %d deep.".formatted(DEEPEST));
        }
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return peek(0);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private boolean sign(char c) {
        skipBlanks();
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    private boolean operator(String sign) {
        skipBlanks();
        if (text.startsWith(sign, at)) {
            at += sign.length();
            return true;
        }
        return false;
    }

    private boolean word(String word) {
        skipBlanks();
        if (text.regionMatches(true, at, word, 0, word.length())
                && !isNamePart(peek(word.length()))
                && (peek(word.length()) != '(' || word.equals("not"))) {
            at += word.length();
            return true;
        }
        return false;
    }

    private RuleFault unexpected() {
        return fault(
                at >= text.length()
                        ? "The expression ends too early."
                        : "'%s' is not expected at character %d."
                                .formatted(text.charAt(at), at + 1));
    }

    private RuleFault fault(String sentence) {
        return new RuleFault(code, place, sentence);
    }
}
