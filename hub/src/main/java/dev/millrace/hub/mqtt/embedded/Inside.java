package dev.millrace.hub.mqtt.embedded;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Names as the broker proper gets them. It calls the queue of a subscription {@code client.filter},
 * and that of a shared one {@code group.filter}: so a group that is called like a client, or a
 * client {@code a} with a filter {@code b.c} beside a client {@code a.b} with a filter {@code c},
 * would take each other's messages. It also puts client ids between quotation marks, unescaped,
 * into the expressions by which it finds what to delete.
 *
 * <p>Therefore client ids and names of groups are rewritten, so that no two of them can ever lead
 * to one queue: all but the plainest letters are escaped, and a group begins with an escape that no
 * client id contains. Clients do not see any of it.
 */
final class Inside {
    /** Client ids that begin so are the hub's; in any case, lest one is taken for another. */
    static final String OURS = "millrace-";

    /** A percent sign in a client id is always followed by two hexadecimal digits. */
    private static final String GROUP = "%group-";

    private static final String SHARE = "$share/";

    private Inside() {}

    /** A subscription that several clients share: each message goes to one of them. */
    record Shared(String group, String filter) {

        /** As the broker gets it. */
        String inside() {
            return SHARE + GROUP + escaped(group) + "/" + filter;
        }

        boolean isOurs() {
            return Inside.isOurs(group);
        }
    }

    static String client(String id) {
        return escaped(id);
    }

    static boolean isOurs(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(OURS);
    }

    /** Empty if it is not a shared one; the rules of the protocol say whether it is a right one. */
    static Optional<Shared> shared(String filter) {
        if (!filter.startsWith(SHARE)) {
            return Optional.empty();
        }
        int slash = filter.indexOf('/', SHARE.length());
        return slash < 0
                ? Optional.of(new Shared("", ""))
                : Optional.of(
                        new Shared(
                                filter.substring(SHARE.length(), slash),
                                filter.substring(slash + 1)));
    }

    /** A filter as the broker gets it. */
    static String filter(String filter) {
        return shared(filter).map(Shared::inside).orElse(filter);
    }

    /** A shared one that did not go through {@link #filter}. */
    static boolean isForeign(String filter) {
        return filter.startsWith(SHARE) && !filter.startsWith(SHARE + GROUP);
    }

    private static String escaped(String name) {
        StringBuilder escaped = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(each)) {
                escaped.append((char) each);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(byte each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || each == '-'
                || each == '_'
                || each == ':'
                || each == '@';
    }
}
