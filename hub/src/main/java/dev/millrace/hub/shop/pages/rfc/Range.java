package dev.millrace.hub.shop.pages.rfc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a page that a client wants; several at once are answered with the whole. */
public sealed interface Range {
    /** Bytes from one to another, both included. */
    record Part(int first, int last) implements Range {}

    /** There are no such bytes. */
    record Outside() implements Range {}

    /** All of it. */
    record Whole() implements Range {}

    Pattern ONE = Pattern.compile("bytes=([0-9]{0,10})-([0-9]{0,10})");

    static Range of(Fields asked, Fields page, int length) {
        Optional<String> wanted = asked.first("Range");
        if (wanted.isEmpty()
                || asked.first("If-Range")
                        .filter(each -> !Conditions.samePage(each, page))
                        .isPresent()) {
            return new Whole();
        }
        Matcher one = ONE.matcher(wanted.get().replace(" ", ""));
        if (!one.matches() || wanted.get().endsWith("=-")) {
            return new Whole();
        }
        long last = one.group(2).isEmpty() ? length - 1L : Long.parseLong(one.group(2));
        if (one.group(1).isEmpty()) {
            return last == 0 || length == 0
                    ? new Outside()
                    : new Part((int) Math.max(0, length - last), length - 1);
        }
        long first = Long.parseLong(one.group(1));
        if (!one.group(2).isEmpty() && last < first) {
            return new Whole();
        }
        return first >= length
                ? new Outside()
                : new Part((int) first, (int) Math.min(last, length - 1L));
    }
}
