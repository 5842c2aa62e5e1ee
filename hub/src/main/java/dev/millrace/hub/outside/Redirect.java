package dev.millrace.hub.outside;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Locale;

/** Where an answer sends us instead. */
sealed interface Redirect {
    /**
     * To another address.
     *
     * @param same whether with the same method and body, else as a plain GET
     */
    record To(URI url, boolean same) implements Redirect {}

    /** It cannot be followed. */
    record Nowhere(String why) implements Redirect {}

    static boolean is(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
    }

    static Redirect of(HttpResponse<?> answer, URI from) {
        String location = answer.headers().firstValue("Location").orElse("");
        if (location.isBlank()) {
            return new Nowhere("It redirects and does not say where.");
        }
        URI to;
        try {
            to = from.resolve(location.strip());
        } catch (IllegalArgumentException e) {
            return new Nowhere("It redirects to something that is not a valid address.");
        }
        String scheme = String.valueOf(to.getScheme()).toLowerCase(Locale.ROOT);
        if (to.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
            return new Nowhere("It redirects to something that is not a valid web address.");
        }
        if (scheme.equals("http") && "https".equalsIgnoreCase(from.getScheme())) {
            return new Nowhere("It redirects from https to http.");
        }
        return new To(to, answer.statusCode() >= 307);
    }
}
