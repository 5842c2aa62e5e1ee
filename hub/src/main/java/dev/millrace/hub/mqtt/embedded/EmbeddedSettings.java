package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the embedded broker.
 *
 * @param port where it listens, 0 for a free port; empty for no broker at all
 * @param tls the certificate that this port shows; empty for no encryption
 * @param clearPort where it listens without encryption besides; empty for nowhere
 * @param host on which address
 * @param maxMessage how large a message may be
 * @param maxConnections how many clients there may be at a time
 * @param maxQueue how much may wait for one client that is away or slow
 * @param maxTopics how many topics and filters there may be
 * @param maxRetained how many topics may have a retained message
 * @param sessionExpiry how long what waits for a client that is away is kept
 */
public record EmbeddedSettings(
        Optional<Integer> port,
        Optional<HttpSettings.TlsFiles> tls,
        Optional<Integer> clearPort,
        String host,
        Bytes maxMessage,
        int maxConnections,
        Bytes maxQueue,
        int maxTopics,
        int maxRetained,
        Duration sessionExpiry) {

    private static final int PLAIN = 1883;
    private static final int ENCRYPTED = 8883;

    /** Whether the port is encrypted. */
    enum Tls {
        AUTO,
        ON,
        OFF
    }

    /** A port, or none. */
    private record Wish(Optional<Integer> port) {}

    private static final Key<Optional<Wish>> PORT =
            Key.optional(
                    "mqtt.embedded.port",
                    Kind.one(EmbeddedSettings::portOrOff),
                    "1883, with TLS 8883",
                    "the port of the embedded broker; 0 takes a free one, off starts none");

    private static final Key<Tls> TLS =
            Key.of(
                    "mqtt.embedded.tls",
                    Kind.one(EmbeddedSettings::tls),
                    "auto",
                    "whether that port is encrypted, with the certificate of http.tls.cert: on,"
                            + " off, or auto, which means on where there is such a certificate and"
                            + " other machines can reach the broker");

    private static final Key<Wish> CLEAR_PORT =
            Key.of(
                    "mqtt.embedded.clear-port",
                    Kind.one(EmbeddedSettings::portOrOff),
                    "off",
                    "a second port without encryption, for devices that cannot do it; their tokens"
                            + " can be read by everybody on the way");

    /** Named by whoever finds that it can be reached from everywhere. */
    public static final Key<Optional<String>> HOST =
            Key.optional(
                    "mqtt.embedded.host",
                    Kind.HOST,
                    "that of http.host",
                    "the address on which the embedded broker listens");

    private static final Key<Bytes> MAX_MESSAGE =
            Key.of(
                    "mqtt.embedded.max-message",
                    Kind.size(Bytes.of("1KB"), Bytes.of("64MB")),
                    "8MB",
                    "the largest message that the embedded broker takes");

    private static final Key<Integer> MAX_CONNECTIONS =
            Key.of(
                    "mqtt.embedded.max-connections",
                    Kind.number(10, 100_000),
                    "1000",
                    "how many clients may be connected to the embedded broker");

    private static final Key<Bytes> MAX_QUEUE =
            Key.of(
                    "mqtt.embedded.max-queue",
                    Kind.size(Bytes.of("64KB"), Bytes.of("1024GB")),
                    "64MB",
                    "how much may wait in the embedded broker for one client that is away or slow;"
                            + " with more, its session is ended");

    private static final Key<Integer> MAX_TOPICS =
            Key.of(
                    "mqtt.embedded.max-topics",
                    Kind.number(10, 1_000_000),
                    "10000",
                    "how many topics and filters the embedded broker knows at a time, those of the"
                            + " hub included; further ones of clients are refused. One that is not"
                            + " in use is forgotten");

    private static final Key<Integer> MAX_RETAINED =
            Key.of(
                    "mqtt.embedded.max-retained",
                    Kind.number(0, 1_000_000),
                    "5000",
                    "on how many topics clients may leave a retained message at the embedded"
                            + " broker; who sends one on a further topic is disconnected");

    public static final List<Key<?>> KEYS =
            List.of(
                    PORT,
                    TLS,
                    CLEAR_PORT,
                    HOST,
                    MAX_MESSAGE,
                    MAX_CONNECTIONS,
                    MAX_QUEUE,
                    MAX_TOPICS,
                    MAX_RETAINED);

    public static EmbeddedSettings read(Values values, HttpSettings http, Duration sessionExpiry) {
        String host = values.get(HOST).orElse(http.host());
        boolean encrypted = encrypted(values, http, host);
        Optional<Integer> clear = values.get(CLEAR_PORT).port();
        if (clear.isPresent() && !encrypted) {
            values.problem(
                    CLEAR_PORT,
                    "mqtt.embedded.port is not encrypted, so there is no need for a second one.");
        }
        return new EmbeddedSettings(
                values.get(PORT).map(Wish::port).orElse(Optional.of(encrypted ? ENCRYPTED : PLAIN)),
                http.certificate().filter(files -> encrypted),
                clear,
                host,
                values.get(MAX_MESSAGE),
                values.get(MAX_CONNECTIONS),
                values.get(MAX_QUEUE),
                values.get(MAX_TOPICS),
                values.get(MAX_RETAINED),
                sessionExpiry);
    }

    private static boolean encrypted(Values values, HttpSettings http, String host) {
        return switch (values.get(TLS)) {
            case OFF -> false;
            case AUTO -> http.certificate().isPresent() && !HttpSettings.isLoopback(host);
            case ON -> {
                if (http.certificate().isEmpty()) {
                    values.problem(
                            TLS,
                            "encryption needs a certificate; name it in http.tls.cert, and its key"
                                    + " in http.tls.key.");
                }
                yield http.certificate().isPresent();
            }
        };
    }

    /** Whether tokens of other machines' clients can be read on their way. */
    public boolean inTheClear() {
        return port.isPresent()
                && !HttpSettings.isLoopback(host)
                && (tls.isEmpty() || clearPort.isPresent());
    }

    private static Wish portOrOff(String text) {
        if (text.equalsIgnoreCase("off")) {
            return new Wish(Optional.empty());
        }
        try {
            return new Wish(Optional.of(Kind.PORT.read(List.of(text))));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a port; use 1 to 65535, 0 for a free one, or off.".formatted(text),
                    e);
        }
    }

    private static Tls tls(String text) {
        if (text.equalsIgnoreCase("auto")) {
            return Tls.AUTO;
        }
        try {
            return Kind.YES_OR_NO.read(List.of(text)) ? Tls.ON : Tls.OFF;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not one of auto, on, off.".formatted(text), e);
        }
    }
}
