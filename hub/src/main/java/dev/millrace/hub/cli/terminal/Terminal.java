package dev.millrace.hub.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;

/** What people read: answers on standard output, everything about us on standard error. */
public final class Terminal {
    /** User and password of an address, up to the last @ of the word. */
    private static final Pattern CREDENTIALS = Pattern.compile("://\\S*@");

    private static final int SHOWN = 5;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private Terminal() {}

    /** Keys are UTF-8, whatever the locale says. */
    public static void speakUtf8() {
        System.setOut(utf8(FileDescriptor.out));
        System.setErr(utf8(FileDescriptor.err));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** A line about us. */
    public static void note(String sentence) {
        System.err.println("millrace: " + withoutSecrets(sentence));
    }

    public static String withoutSecrets(String text) {
        return CREDENTIALS.matcher(text).replaceAll("://");
    }

    /** A text out of Redis, made harmless: a key may contain line ends and worse. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (Character.isISOControl(c)
                                    || Character.getType(c) == Character.FORMAT) {
                                shown.append("\\u%04x".formatted(c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }

    /** A moment, in the time zone of whoever sits here. */
    public static String time(Instant moment) {
        return TIME.format(moment.atZone(ZoneId.systemDefault()));
    }

    /** How many keys nobody knows, with some of them. */
    public static String strangers(long count, List<String> examples) {
        List<String> some = examples.stream().limit(SHOWN).map(Terminal::shown).toList();
        return count == 1
                ? "1 key belongs to no layout: %s".formatted(some.getFirst())
                : "%d keys belong to no layout, for example: %s"
                        .formatted(count, String.join(", ", some));
    }
}
