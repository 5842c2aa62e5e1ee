package dev.millrace.hub.shop.pages.rfc;

import java.util.List;
import java.util.OptionalLong;

/** Whether an answer may be kept, and for how long. */
public sealed interface Storing {
    /**
     * It may.
     *
     * @param age milliseconds that it had spent elsewhere when it came
     */
    record May(Lifetime lifetime, long age) implements Storing {}

    /** It may not, in a word for headers and figures. */
    record MayNot(String why) implements Storing {}

    /** Meant for us alone (RFC 9213); where it is there, {@code Cache-Control} is for others. */
    String TARGETED = "CDN-Cache-Control";

    /**
     * Decides.
     *
     * @param asked with which headers a GET asked for it
     * @param sent when, in milliseconds since 1970
     * @param received when the answer began
     */
    static Storing of(
            Policy policy, Fields asked, int status, Fields answer, long sent, long received) {
        if (Directives.of(asked.joined("Cache-Control")).has("no-store")) {
            return new MayNot("request-no-store");
        }
        if (!policy.statuses().contains(status) || answer.has("Content-Range")) {
            return new MayNot("status");
        }
        Directives says = directives(answer);
        if (says.has("no-store") && !says.has("must-understand")) {
            return new MayNot("no-store");
        }
        if (says.has("private")) {
            return new MayNot("private");
        }
        if (says.has("no-cache")) {
            return new MayNot("no-cache");
        }
        if (answer.has("Set-Cookie") && !policy.stripCookies()) {
            return new MayNot("set-cookie");
        }
        if (answer.members("Vary").contains("*")) {
            return new MayNot("vary");
        }
        boolean shared = says.has("public") || says.has("s-maxage") || says.has("must-revalidate");
        if (asked.has("Authorization") && !shared) {
            return new MayNot("authorization");
        }
        long fresh = fresh(policy, says, answer, received);
        long age = age(answer, sent, received);
        if (fresh <= age) {
            return new MayNot("expired");
        }
        return new May(
                new Lifetime(
                        fresh,
                        window(says, "stale-while-revalidate", policy.whileRefreshed().toMillis()),
                        window(says, "stale-if-error", policy.onError().toMillis()),
                        shared),
                age);
    }

    private static Directives directives(Fields answer) {
        return Directives.of(answer.joined(answer.has(TARGETED) ? TARGETED : "Cache-Control"));
    }

    /** Whether the answer itself says for how long it is fresh. */
    static boolean saysHowLong(Fields answer) {
        return directives(answer).seconds("s-maxage", "max-age").isPresent()
                || answer.has("Expires");
    }

    private static long fresh(Policy policy, Directives says, Fields answer, long received) {
        OptionalLong seconds = says.seconds("s-maxage", "max-age");
        if (seconds.isPresent()) {
            return seconds.getAsLong() * 1000;
        }
        List<String> expires = answer.values("Expires");
        if (!expires.isEmpty() && !answer.has(TARGETED)) {
            long date = answer.first("Date").flatMap(HttpDate::read).orElse(received);
            // What is no time, such as 0, has passed.
            return expires.stream()
                    .mapToLong(each -> HttpDate.read(each).map(at -> at - date).orElse(0L))
                    .min()
                    .orElse(0);
        }
        return policy.lifetime().toMillis();
    }

    /** RFC 9111, 4.2.3. */
    private static long age(Fields answer, long sent, long received) {
        long apparent =
                answer.first("Date")
                        .flatMap(HttpDate::read)
                        .map(date -> Math.max(0, received - date))
                        .orElse(0L);
        // A Date has whole seconds, so what came at once looks up to a second old.
        long coarse = apparent < 1000 ? 0 : apparent;
        String said = answer.first("Age").map(text -> text.split(",", 2)[0].strip()).orElse("");
        long told = Directives.of("age=" + said).seconds("age").orElse(0) * 1000;
        return Math.max(coarse, told == 0 ? 0 : told + Math.max(0, received - sent));
    }

    /** What the page says; else the operator's word, unless the page forbids to be given stale. */
    private static long window(Directives says, String name, long standard) {
        if (says.has("must-revalidate") || says.has("proxy-revalidate")) {
            return 0;
        }
        OptionalLong said = says.seconds(name);
        if (said.isPresent()) {
            return said.getAsLong() * 1000;
        }
        return says.has("s-maxage") ? 0 : standard;
    }
}
