package dev.millrace.hub.shop.pages.rfc;

import java.time.Duration;
import java.util.Set;

/**
 * What an operator says about what RFC 9111 leaves open.
 *
 * @param lifetime of a page that says nothing
 * @param whileRefreshed of a page that says nothing against it
 * @param onError the same, for an application that fails
 * @param statuses which answers may be kept
 * @param stripCookies whether a {@code Set-Cookie} is taken off instead of making its page personal
 */
public record Policy(
        Duration lifetime,
        Duration whileRefreshed,
        Duration onError,
        Set<Integer> statuses,
        boolean stripCookies) {
    public Policy {
        statuses = Set.copyOf(statuses);
    }
}
