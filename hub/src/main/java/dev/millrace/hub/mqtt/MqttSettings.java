package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;
import dev.millrace.hub.mqtt.embedded.EmbeddedSettings;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.settings.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of MQTT. */
public record MqttSettings(
        @Setting(
                        about =
                                "where a broker is: mqtt://user:password@host:port; mqtts:// if it"
                                        + " is encrypted",
                        empty = "an embedded broker",
                        secrecy = Key.Secrecy.ADDRESS)
                Optional<BrokerUrl> url,
        @Setting(
                        about =
                                "a file in PEM with the certificates that vouch for the broker of"
                                        + " mqtt.url",
                        empty = "the authorities that Java trusts")
                Optional<Path> trust,
        EmbeddedSettings embedded,
        @Setting(
                        about =
                                "how long what waits for a client that is away is kept, at most"
                                        + " 24d",
                        standard = "7d",
                        by = "session")
                Duration sessionExpiry,
        Browsers eventbus) {

    /** The embedded broker counts the milliseconds of a session in 32 bits. */
    private static final Duration LONGEST_SESSION = Duration.ofDays(24);

    public static final Block<MqttSettings> BLOCK =
            Block.of("mqtt", "MQTT: a broker of your own, or the embedded one", MqttSettings.class);

    /** Those who come over WebSocket. */
    public record Browsers(
            @Setting(
                            about = "how many browsers may be connected to /eventbus; 0 for none",
                            standard = "200",
                            least = "0",
                            most = "10000")
                    int maxConnections) {}

    /**
     * Reads them.
     *
     * @param http whose address and certificate the embedded broker shares unless told otherwise
     */
    public static MqttSettings read(Values values, HttpSettings http) {
        MqttSettings settings = BLOCK.read(values);
        settings.embedded
                .problems(http)
                .forEach(
                        (key, sentence) ->
                                values.problem(BLOCK.key("mqtt.embedded." + key), sentence));
        return settings;
    }

    /** What the embedded broker has to know. */
    EmbeddedBroker.Plan plan(HttpSettings http) {
        return new EmbeddedBroker.Plan(embedded, embedded.doorway(http), sessionExpiry);
    }

    /** Whether a broker is started. */
    public boolean embeds() {
        return url.isEmpty() && !embedded.isOff();
    }

    static Duration session(String text) {
        Duration time = Kind.time(Duration.ofSeconds(1)).read(List.of(text));
        if (time.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException(
                    "'%s' is too long; use at most 24d.".formatted(text));
        }
        return time;
    }
}
