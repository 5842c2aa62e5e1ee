package dev.millrace.hub.http.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Under which names the hub answers. Whoever owns a name can let it lead to 127.0.0.1 from one
 * moment to the next; for a browser a page of that name is then a page of this hub, which may read
 * and write as one. Where the address of a caller gives rights, that page would have them. What it
 * cannot do is send another Host than its own, so the Host must be one of ours. An address is
 * nobody's name; only those of loopback are taken, since nobody reaches us under another one.
 *
 * <p>See {@code docs/decisions/0019-host-names.md}. Thread-safe.
 */
final class Hosts {
    /** Headers that a browser sends and nobody else has to. */
    private static final List<String> OF_BROWSERS = List.of("Origin", "Referer", "Sec-Fetch-Site");

    private final boolean all;
    private final boolean loopback;
    private final Set<String> names;

    /** Nearly every request has the one before it, so it is looked at once. */
    private volatile @Nullable String known;

    /**
     * Those of a server.
     *
     * @param rightsByAddress whether somebody may do something without a token
     */
    Hosts(HttpSettings settings, boolean rightsByAddress) {
        this.loopback = settings.isLoopback();
        this.names =
                settings.hosts().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
        this.all = names.isEmpty() && !(loopback && rightsByAddress);
    }

    /** The authority that a request asks for; null if it does not say. */
    static @Nullable String asked(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            return request.getHeader(HttpHeaders.HOST);
        }
        HostAndPort authority = request.authority();
        return authority == null ? null : authority.toString();
    }

    boolean accept(HttpServerRequest request) {
        if (all) {
            return true;
        }
        for (String host : request.headers().getAll(HttpHeaders.HOST)) {
            if (!accepts(host)) {
                return false;
            }
        }
        String asked = asked(request);
        return (asked == null ? notOfBrowser(request) : accepts(asked)) && acceptsTarget(request);
    }

    /** A proxy is asked for {@code http://host/path}, and we could be taken for one. */
    private boolean acceptsTarget(HttpServerRequest request) {
        String target = request.uri();
        int begin = target.startsWith("/") ? -1 : target.indexOf("://");
        if (begin < 0) {
            return true;
        }
        String rest = target.substring(begin + 3);
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        return accepts(rest.substring(0, end));
    }

    private static boolean notOfBrowser(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_0
                && OF_BROWSERS.stream().noneMatch(request.headers()::contains);
    }

    boolean accepts(String authority) {
        if (authority.equals(known)) {
            return true;
        }
        boolean accepted = all || isOurs(withoutPort(authority));
        if (accepted) {
            known = authority;
        }
        return accepted;
    }

    private static String withoutPort(String authority) {
        String host = authority.strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        if (colon > host.lastIndexOf(']')
                && host.substring(colon + 1).chars().allMatch(each -> each >= '0' && each <= '9')) {
            host = host.substring(0, colon);
        }
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private boolean isOurs(String host) {
        if (host.equals("localhost") || host.endsWith(".localhost")) {
            return true;
        }
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String plain = bracketed ? host.substring(1, host.length() - 1) : host;
        if (names.contains(plain)) {
            return true;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(plain);
            return !loopback || address.isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
