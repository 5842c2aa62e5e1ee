package dev.millrace.hub.http.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

import java.util.List;
import java.util.Locale;
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
        path = ascii(path);
        boolean right =
                (host.isEmpty() ? hosts.isEmpty() : HOST.matcher(host).matches())
                        && path.startsWith("/")
                        && path.indexOf('#') < 0
                        && path.chars().allMatch(each -> each > ' ' && each != 0x7F);
        return right ? Optional.of(new Target(host, path)) : Optional.empty();
    }

    /** Bytes that have no place in an address, as old clients send them, in the form that has. */
    private static String ascii(String path) {
        if (path.chars().allMatch(each -> each < 0x80)) {
            return path;
        }
        StringBuilder ascii = new StringBuilder();
        path.chars()
                .forEach(
                        each -> {
                            if (each < 0x80) {
                                ascii.append((char) each);
                            } else {
                                ascii.append("%%%02X".formatted(each & 0xFF));
                            }
                        });
        return ascii.toString();
    }

    /** Whether the path leads above itself, however that is written. */
    boolean climbs() {
        int mark = path.indexOf('?');
        String plain = (mark < 0 ? path : path.substring(0, mark)).toLowerCase(Locale.ROOT);
        return List.of(
                        plain.replace("%2e", ".")
                                .replace("%2f", "/")
                                .replace("%5c", "/")
                                .replace('\\', '/')
                                .split("/", -1))
                .contains("..");
    }
}
