package dev.millrace.keyspace.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** Strings as the bytes that Redis sees. */
final class Utf8 {
    private Utf8() {}

    /**
     * The bytes of a text, or null when it is not Unicode: half of a surrogate pair has no
     * encoding, Java would write a question mark in its place, and two different texts would become
     * one key.
     */
    static byte @Nullable [] bytes(String text) {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return beyondAscii(text);
            }
            bytes[i] = (byte) c;
        }
        return bytes;
    }

    private static byte @Nullable [] beyondAscii(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new String(bytes, UTF_8).equals(text) ? bytes : null;
    }
}
