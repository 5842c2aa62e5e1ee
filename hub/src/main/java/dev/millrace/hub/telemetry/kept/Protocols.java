package dev.millrace.hub.telemetry.kept;

import java.util.Locale;

/** How protocols are spelled in keys. */
public final class Protocols {
    private static final String UNKNOWN = "unknown";
    private static final int LONGEST = 64;

    private Protocols() {}

    /** In small letters, with {@code _} for whatever no key may have. */
    public static String normalised(String protocol) {
        StringBuilder text = new StringBuilder();
        for (char c : protocol.strip().toLowerCase(Locale.ROOT).toCharArray()) {
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            text.append(plain ? c : '_');
        }
        if (text.isEmpty()) {
            return UNKNOWN;
        }
        text.setLength(Math.min(text.length(), LONGEST));
        return text.toString().equals("virt") ? "virtual" : text.toString();
    }
}
