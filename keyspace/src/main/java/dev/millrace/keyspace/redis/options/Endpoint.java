package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/** Where one server listens: a TCP address, or a unix socket beside it that is preferred. */
public record Endpoint(String host, int port, @Nullable Path socket) {

    public Endpoint(String host, int port) {
        this(host, port, null);
    }

    /** {@code host:port}, the name under which Redis Cluster knows a node. */
    public String address() {
        return host + ":" + port;
    }

    static Endpoint parse(String address) {
        int colon = address.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(
                    "'"
                            + address
                            + "' is not a valid address; write host:port, for example"
                            + " 127.0.0.1:6379.");
        }
        String host = address.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new Endpoint(host, port(address.substring(colon + 1), address));
    }

    /** An address that a node gave; one that does not know its own name leaves the host out. */
    public static Endpoint parse(String address, Endpoint asked) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, Math.max(colon, 0));
        return host.isEmpty() || host.equals("?")
                ? new Endpoint(asked.host, port(address.substring(colon + 1), address))
                : parse(address);
    }

    private static int port(String text, String address) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port < 65536) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the sentence below, which is the same for both mistakes
        }
        throw new IllegalArgumentException(
                "'" + text + "' in '" + address + "' is not a valid port; use 1 to 65535.");
    }

    @Override
    public String toString() {
        return socket != null ? "unix:" + socket : address();
    }
}
