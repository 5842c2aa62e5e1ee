package dev.millrace.hub.http.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * For whom and for what a request is; empty for what different readers could take for different
 * things, so that no request hides in another one.
 *
 * @param path with its query, as it came
 */
record Target(String host, String path) {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?");

    static Optional<Target> of(HttpServerRequest raw) {
        MultiMap headers = raw.headers();
        List<String> codings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        List<String> hosts = headers.getAll(HttpHeaders.HOST);
        boolean framed =
                !headers.contains("")
                        && (codings.isEmpty()
                                || (codings.size() == 1
                                        && codings.getFirst().equalsIgnoreCase("chunked")
                                        && raw.version() != HttpVersion.HTTP_1_0))
                        && headers.getAll(HttpHeaders.CONTENT_LENGTH).size() <= 1;
        if (!framed
                || hosts.size() > 1
                || (hosts.isEmpty() && raw.version() != HttpVersion.HTTP_1_0)) {
            return Optional.empty();
        }
        String host = hosts.isEmpty() ? "" : hosts.getFirst().strip();
        String path = raw.uri();
        int scheme = path.startsWith("/") ? -1 : path.indexOf("://");
        if (scheme >= 0) {
            // As proxies are asked; what stands in the line counts.
            String rest = path.substring(scheme + 3);
            int slash = rest.indexOf('/');
            host = slash < 0 ? rest : rest.substring(0, slash);
            path = slash < 0 ? "/" : rest.substring(slash);
        }
        boolean right =
                (host.isEmpty() ? hosts.isEmpty() : HOST.matcher(host).matches())
                        && path.startsWith("/")
                        && path.indexOf('#') < 0
                        && path.chars().allMatch(each -> each > ' ' && each != 0x7F);
        return right ? Optional.of(new Target(host, path)) : Optional.empty();
    }
}
