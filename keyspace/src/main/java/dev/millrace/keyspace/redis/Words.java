package dev.millrace.keyspace.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Texts and numbers as words of a command. */
public final class Words {
    private Words() {}

    public static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    public static byte[] number(long number) {
        return text(Long.toString(number));
    }
}
