package dev.millrace.hub.mqtt;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of MQTT.
 *
 * @param broker one of somebody's own; empty for the embedded one
 * @param trust certificates that vouch for it; empty for those that Java trusts
 * @param sessionExpiry how long what waits for a client that is away is kept
 * @param eventbus how many browsers may be connected over WebSocket
 */
public record MqttSettings(
        Optional<BrokerUrl> broker,
        Optional<Path> trust,
        Embedded embedded,
        Duration sessionExpiry,
        int eventbus) {

    /** The embedded broker counts the milliseconds of a session in 32 bits. */
    private static final Duration LONGEST_SESSION = Duration.ofDays(24);

    /**
     * The embedded broker.
     *
     * @param port where it listens, 0 for a free port; empty for no broker at all
     * @param host on which address; empty for that of HTTP
     * @param maxMessage how large a message may be
     * @param maxConnections how many clients there may be at a time
     * @param maxQueue how much may wait for one client that is away or slow
     * @param maxTopics how many topics and filters there may be
     * @param maxRetained how many topics may have a retained message
     */
    public record Embedded(
            Optional<Integer> port,
            Optional<String> host,
            Bytes maxMessage,
            int maxConnections,
            Bytes maxQueue,
            int maxTopics,
            int maxRetained) {}

    private static final Key<Optional<BrokerUrl>> URL =
            Key.optional(
                            "mqtt.url",
                            Kind.one(BrokerUrl::of),
                            "an embedded broker",
                            "where a broker is: mqtt://user:password@host:port; mqtts:// if it is"
                                    + " encrypted")
                    .address();

    private static final Key<Optional<Path>> TRUST =
            Key.optional(
                    "mqtt.trust",
                    Kind.PATH,
                    "the authorities that Java trusts",
                    "a file in PEM with the certificates that vouch for the broker of mqtt.url");

    private static final Key<Optional<Integer>> PORT =
            Key.of(
                    "mqtt.embedded.port",
                    Kind.one(MqttSettings::portOrOff),
                    "1883",
                    "the port of the embedded broker; 0 takes a free one, off starts none");

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

    private static final Key<Duration> SESSION_EXPIRY =
            Key.of(
                    "mqtt.session-expiry",
                    Kind.one(MqttSettings::session),
                    "7d",
                    "how long what waits for a client that is away is kept, at most 24d");

    private static final Key<Integer> EVENTBUS =
            Key.of(
                    "mqtt.eventbus.max-connections",
                    Kind.number(0, 10_000),
                    "200",
                    "how many browsers may be connected to /eventbus; 0 for none");

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "MQTT: a broker of your own, or the embedded one",
                    List.of(
                            URL,
                            TRUST,
                            PORT,
                            HOST,
                            MAX_MESSAGE,
                            MAX_CONNECTIONS,
                            MAX_QUEUE,
                            MAX_TOPICS,
                            MAX_RETAINED,
                            SESSION_EXPIRY,
                            EVENTBUS));

    public static MqttSettings read(Values values) {
        return new MqttSettings(
                values.get(URL),
                values.get(TRUST),
                new Embedded(
                        values.get(PORT),
                        values.get(HOST),
                        values.get(MAX_MESSAGE),
                        values.get(MAX_CONNECTIONS),
                        values.get(MAX_QUEUE),
                        values.get(MAX_TOPICS),
                        values.get(MAX_RETAINED)),
                values.get(SESSION_EXPIRY),
                values.get(EVENTBUS));
    }

    /** Whether a broker is started. */
    public boolean embeds() {
        return broker.isEmpty() && embedded.port().isPresent();
    }

    private static Optional<Integer> portOrOff(String text) {
        if (text.equalsIgnoreCase("off")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Kind.PORT.parser().apply(List.of(text)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is no port; use 1 to 65535, 0 for a free one, or off.".formatted(text),
                    e);
        }
    }

    private static Duration session(String text) {
        Duration time = Kind.time(Duration.ofSeconds(1)).parser().apply(List.of(text));
        if (time.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException(
                    "'%s' is too long; use at most 24d.".formatted(text));
        }
        return time;
    }
}
