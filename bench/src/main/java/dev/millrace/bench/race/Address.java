package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a server is, and how a request to it looks on the wire.
 *
 * @param host as the requests name it, with the port
 * @param prefix before every path; empty for none
 */
public record Address(InetSocketAddress socket, String host, String prefix) {

    /** A server of ours, on this machine. */
    public static Address local(int port) {
        return new Address(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                "127.0.0.1:" + port,
                "");
    }

    /**
     * The server at a URL, whose path stands before every other path.
     *
     * @throws IllegalArgumentException with a sentence, if it is not the URL of a server
     */
    public static Address of(String url) {
        try {
            URI uri = new URI(url);
            if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
                throw new IllegalArgumentException(
                        "'%s' is not the URL of a server; it looks like http://localhost:48080."
                                .formatted(url));
            }
            int port = uri.getPort() < 0 ? 80 : uri.getPort();
            InetSocketAddress socket = new InetSocketAddress(uri.getHost(), port);
            if (socket.isUnresolved()) {
                throw new IllegalArgumentException(
                        "'%s' names a host that is not known.".formatted(url));
            }
            return new Address(
                    socket, uri.getHost() + ":" + port, uri.getRawPath().replaceAll("/+$", ""));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a URL: %s.".formatted(url, e.getReason()), e);
        }
    }

    /** The whole URL of a path. */
    public URI url(String path) {
        return URI.create("http://" + host + prefix + path);
    }

    public byte[] get(String path) {
        return "GET %s%s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n\r\n"
                .formatted(prefix, path, host)
                .getBytes(UTF_8);
    }

    public byte[] delete(String path) {
        return "DELETE %s%s HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(prefix, path, host)
                .getBytes(UTF_8);
    }

    public byte[] post(String path, String body) {
        return request("POST", path, body);
    }

    public byte[] put(String path, String body) {
        return request("PUT", path, body);
    }

    private byte[] request(String method, String path, String body) {
        return ("%s %s%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                                .formatted(method, prefix, path, host)
                        + "Content-Length: %d\r\n\r\n%s"
                                .formatted(body.getBytes(UTF_8).length, body))
                .getBytes(UTF_8);
    }
}
