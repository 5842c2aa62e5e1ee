package dev.millrace.hub.ems;

/** Texts in JSON that is put together by hand. */
public final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    /** Appends it in quotes. */
    public static void append(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX.charAt(c >> shift & 0xF));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
