package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Asked;
import dev.millrace.hub.shop.pages.rfc.Fields;

import java.util.Locale;
import java.util.Set;

/**
 * A request for a page that may be in the cache.
 *
 * @param came in milliseconds since 1970
 * @param rounds how often it has waited for others
 */
record PageRequest(
        Asked asked, Fields fields, Address address, String item, long came, int rounds) {
    /** In small letters: with one of these it is not for the page as everybody sees it. */
    private static final Set<String> PECULIAR =
            Set.of(
                    "if-match",
                    "if-unmodified-since",
                    "x-http-method-override",
                    "x-http-method",
                    "x-method-override");

    PageRequest again() {
        return new PageRequest(asked, fields, address, item, came, rounds + 1);
    }

    boolean isHead() {
        return asked.method().equals("HEAD");
    }

    boolean isPeculiar() {
        return asked.hasBody()
                || fields.all().stream()
                        .anyMatch(each -> PECULIAR.contains(each.name().toLowerCase(Locale.ROOT)));
    }

    /** Whether it wants something that only a whole page that is here can give. */
    boolean wantsPart() {
        return fields.has("Range");
    }
}
