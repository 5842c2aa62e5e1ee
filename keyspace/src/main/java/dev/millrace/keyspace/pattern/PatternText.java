package dev.millrace.keyspace.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the text of a pattern into what stands still and what varies: {@code literals[0]}, {@code
 * variables[0]}, {@code literals[1]} and so on. There is one literal more than variables; only the
 * first and the last may be empty.
 */
final class PatternText {
    /** One variable of a pattern. */
    record Variable(String name, Grammar grammar) {}

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    private static final int NO_TAG = -1;

    final List<String> literals = new ArrayList<>();
    final List<Variable> variables = new ArrayList<>();

    /** The variable that is the hash tag, or -1. */
    int tag = NO_TAG;

    private final String text;
    private final Grammars grammars;
    private final StringBuilder literal = new StringBuilder();

    PatternText(String text, Grammars grammars) {
        this.text = text;
        this.grammars = grammars;
        if (text.isEmpty()) {
            throw bad("it is empty");
        }
        if (Utf8.bytes(text) == null) {
            throw bad("it is not Unicode");
        }
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '}') {
                throw bad("the } at %d closes nothing".formatted(at));
            }
            if (c == '{') {
                at = braces(at);
            } else {
                literal.append(c);
                at++;
            }
        }
        literals.add(literal.toString());
        checkTag();
    }

    /** Reads {@code {variable}}, or {@code {{variable}}} with braces that belong to the key. */
    private int braces(int open) {
        boolean doubled = text.startsWith("{{", open);
        String closing = doubled ? "}}" : "}";
        int from = open + closing.length();
        int close = text.indexOf(closing, from);
        if (close < 0) {
            throw bad("the %s at %d is never closed".formatted(doubled ? "{{" : "{", open));
        }
        if (doubled) {
            literal.append('{');
        }
        if (!variables.isEmpty() && literal.isEmpty()) {
            throw bad("nothing stands between two variables at %d".formatted(open));
        }
        variables.add(variable(text.substring(from, close)));
        literals.add(literal.toString());
        literal.setLength(0);
        if (doubled) {
            literal.append('}');
            // As Redis does: only the first pair of braces in a key counts.
            tag = tag == NO_TAG ? variables.size() - 1 : tag;
        }
        return close + closing.length();
    }

    private Variable variable(String declared) {
        int colon = declared.indexOf(':');
        String name = colon < 0 ? declared : declared.substring(0, colon);
        if (!NAME.matcher(name).matches()) {
            throw bad("\"%s\" is not the name of a variable".formatted(name));
        }
        if (variables.stream().anyMatch(variable -> variable.name().equals(name))) {
            throw bad("it has two variables %s".formatted(name));
        }
        return new Variable(
                name, colon < 0 ? Grammars.ANY : grammar(declared.substring(colon + 1)));
    }

    private Grammar grammar(String name) {
        return grammars.find(name).orElseThrow(() -> unknown(name));
    }

    private IllegalArgumentException unknown(String grammar) {
        String advice =
                grammars.meant(grammar)
                        .map("did you mean %s?"::formatted)
                        .orElse("known are " + grammars.all());
        return bad("there is no grammar \"%s\"; %s".formatted(grammar, advice));
    }

    /** A tag that only some values have would leave the slot of a key to chance. */
    private void checkTag() {
        for (int i = 0; i < tag; i++) {
            if (variables.get(i).grammar().mayContain('{')) {
                throw bad(
                        "%s may contain a { and so hide the hash tag after it"
                                .formatted(variables.get(i).name()));
            }
        }
        if (tag != NO_TAG) {
            Variable variable = variables.get(tag);
            if (variable.grammar().mayContain('}') || variable.grammar().acceptsEmpty()) {
                throw bad(
                        "the hash tag %s must not be empty or contain a }, as in {{%s:tag}}"
                                .formatted(variable.name(), variable.name()));
            }
        }
    }

    private IllegalArgumentException bad(String why) {
        return new IllegalArgumentException("Bad key pattern \"%s\": %s".formatted(text, why));
    }
}
