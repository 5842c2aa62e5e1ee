package dev.millrace.hub.http;

import java.time.Duration;
import java.util.List;

/**
 * What pages of other sites may do.
 *
 * @param origins where they come from; {@code *} for everywhere
 * @param headers they may send; none means any
 * @param maxAge how long a browser need not ask again
 * @param credentials whether a browser may send cookies and the like
 */
public record CorsRule(
        List<String> origins, List<String> headers, Duration maxAge, boolean credentials) {
    public CorsRule {
        origins = List.copyOf(origins);
        headers = List.copyOf(headers);
    }
}
