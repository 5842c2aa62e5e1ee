package dev.millrace.hub.mqtt;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where an MQTT broker is, and as whom we come. */
public record BrokerUrl(
        String host,
        int port,
        boolean encrypted,
        Optional<String> user,
        Optional<String> password) {

    private static final int PLAIN_PORT = 1883;
    private static final int ENCRYPTED_PORT = 8883;

    /**
     * Reads {@code mqtt://[user[:password]@]host[:port]} and {@code mqtts://…}.
     *
     * @throws IllegalArgumentException with a sentence that repeats nothing of it
     */
    static BrokerUrl of(String text) {
        URI uri = uri(text);
        String scheme = String.valueOf(uri.getScheme());
        boolean encrypted = scheme.equals("mqtts");
        if (!encrypted && !scheme.equals("mqtt")) {
            throw new IllegalArgumentException(
                    "The URL of a broker begins with mqtt:// (mqtts:// if it is encrypted).");
        }
        String path = String.valueOf(uri.getRawPath());
        if (uri.getHost() == null
                || !(path.isEmpty() || path.equals("/"))
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || uri.getPort() > 65535
                || uri.getPort() == 0) {
            throw wrong();
        }
        String login = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
        int colon = login.indexOf(':');
        return new BrokerUrl(
                uri.getHost(),
                uri.getPort() > 0 ? uri.getPort() : encrypted ? ENCRYPTED_PORT : PLAIN_PORT,
                encrypted,
                part(colon < 0 ? login : login.substring(0, colon)),
                part(colon < 0 ? "" : login.substring(colon + 1)));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            // Its message repeats the text, and so does the cause of an exception.
            throw wrong();
        }
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException(
                "This is not a valid broker URL; write mqtt://user:password@host:port, with special"
                        + " characters in the password as in any URL.");
    }

    private static Optional<String> part(String text) {
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    }

    /** Without user and password. */
    @Override
    public String toString() {
        return (encrypted ? "mqtts://" : "mqtt://") + host + ":" + port;
    }
}
