package dev.millrace.hub.outside;

import dev.millrace.hub.http.Header;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said to another server.
 *
 * @param headers they may hold secrets: only {@code Content-Type} follows a redirect to another
 *     host
 */
public record Call(String method, URI url, List<Header> headers, byte[] body) {
    static final String TYPE = "Content-Type";

    public Call {
        headers = List.copyOf(headers);
    }

    /** Without a body. */
    public static Call of(String method, URI url) {
        return new Call(method, url, List.of(), new byte[0]);
    }

    /** The same with one more header. */
    public Call with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Call(method, url, more, body);
    }

    /** The same elsewhere, as a plain question if need be. */
    Call redirected(Redirect.To to) {
        boolean home = to.url().getAuthority().equals(url.getAuthority());
        return new Call(
                to.same() ? method : "GET",
                to.url(),
                home
                        ? headers
                        : headers.stream()
                                .filter(each -> each.name().equalsIgnoreCase(TYPE))
                                .toList(),
                to.same() ? body : new byte[0]);
    }

    /**
     * As Java's client takes it.
     *
     * @throws IllegalArgumentException if it does not
     */
    HttpRequest request() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url)
                        .method(
                                method,
                                body.length == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(body));
        headers.forEach(each -> request.header(each.name(), each.value()));
        return request.build();
    }
}
