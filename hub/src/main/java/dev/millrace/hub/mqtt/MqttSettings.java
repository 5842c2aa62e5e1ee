package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.EmbeddedSettings;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of MQTT.
 *
 * @param broker one of somebody's own; empty for the embedded one
 * @param trust certificates that vouch for it; empty for those that Java trusts
 * @param embedded the one in the hub itself
 * @param sessionExpiry how long what waits for a client that is away is kept
 * @param eventbus how many browsers may be connected over WebSocket
 */
public record MqttSettings(
        Optional<BrokerUrl> broker,
        Optional<Path> trust,
        EmbeddedSettings embedded,
        Duration sessionExpiry,
        int eventbus) {

    /** The embedded broker counts the milliseconds of a session in 32 bits. */
    private static final Duration LONGEST_SESSION = Duration.ofDays(24);

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
            new Keys.Group("MQTT: a broker of your own, or the embedded one", keys());

    private static List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(List.of(URL, TRUST));
        keys.addAll(EmbeddedSettings.KEYS);
        keys.addAll(List.of(SESSION_EXPIRY, EVENTBUS));
        return List.copyOf(keys);
    }

    /**
     * Reads them.
     *
     * @param http whose address and certificate the embedded broker shares unless told otherwise
     */
    public static MqttSettings read(Values values, HttpSettings http) {
        Duration sessionExpiry = values.get(SESSION_EXPIRY);
        return new MqttSettings(
                values.get(URL),
                values.get(TRUST),
                EmbeddedSettings.read(values, http, sessionExpiry),
                sessionExpiry,
                values.get(EVENTBUS));
    }

    /** Whether a broker is started. */
    public boolean embeds() {
        return broker.isEmpty() && embedded.port().isPresent();
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
