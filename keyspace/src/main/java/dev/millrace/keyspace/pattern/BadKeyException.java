package dev.millrace.keyspace.pattern;

/** A value does not fit the variable it was meant for, so there is no such key. */
public final class BadKeyException extends IllegalArgumentException {
    /** Enough of a value to recognise it in a log line. */
    private static final int SHOWN_CHARS = 48;

    private final String pattern;
    private final String variable;
    private final String value;
    private final String allowed;

    BadKeyException(String pattern, String variable, String value, String allowed) {
        super(sentence(pattern, variable, value, allowed));
        this.pattern = pattern;
        this.variable = variable;
        this.value = shown(value);
        this.allowed = allowed;
    }

    static String sentence(String pattern, String variable, String value, String allowed) {
        return "\"%s\" cannot be the %s of %s: it must be %s"
                .formatted(shown(value), variable, pattern, allowed);
    }

    /** The text of the pattern. */
    public String pattern() {
        return pattern;
    }

    public String variable() {
        return variable;
    }

    /** The refused value, shortened, and without characters that could forge a log line. */
    public String value() {
        return value;
    }

    /** What would have been allowed: "letters, digits and _ . ~ -, 1 to 255 bytes". */
    public String allowed() {
        return allowed;
    }

    private static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < value.length() && i < SHOWN_CHARS; i++) {
            char c = value.charAt(i);
            shown.append(harmless(c) ? Character.toString(c) : "\\u%04x".formatted((int) c));
        }
        return value.length() > SHOWN_CHARS ? shown.append('…').toString() : shown.toString();
    }

    private static boolean harmless(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    false;
            default -> true;
        };
    }
}
