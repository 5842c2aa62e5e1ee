package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the embedded broker. Where it listens in the end is a {@link Doorway}. */
public record EmbeddedSettings(
        @Setting(
                        about =
                                "the port of the embedded broker; 0 takes a free one, off starts"
                                        + " none",
                        empty = "1883, with TLS 8883",
                        by = "portOrOff")
                Optional<Port> port,
        @Setting(
                        about =
                                "whether that port is encrypted, with the certificate of"
                                        + " http.tls.cert: on, off, or auto, which means on where"
                                        + " there is such a certificate and other machines can"
                                        + " reach the broker",
                        standard = "auto",
                        by = "tls")
                Tls tls,
        @Setting(
                        about =
                                "a second port without encryption, for devices that cannot do it;"
                                        + " their tokens can be read by everybody on the way",
                        standard = "off",
                        by = "portOrOff")
                Port clearPort,
        @Setting(
                        about = "the address on which the embedded broker listens",
                        empty = "that of http.host",
                        meaning = Setting.Meaning.HOST)
                Optional<String> host,
        @Setting(
                        about = "the largest message that the embedded broker takes",
                        standard = "8MB",
                        least = "1KB",
                        most = "64MB")
                Bytes maxMessage,
        @Setting(
                        about = "how many clients may be connected to the embedded broker",
                        standard = "1000",
                        least = "10",
                        most = "100000")
                int maxConnections,
        @Setting(
                        about =
                                "how much may wait in the embedded broker for one client that is"
                                        + " away or slow; with more, its session is ended",
                        standard = "64MB",
                        least = "64KB",
                        most = "1024GB")
                Bytes maxQueue,
        @Setting(
                        about =
                                "how many topics and filters the embedded broker knows at a time,"
                                        + " those of the hub included; further ones of clients are"
                                        + " refused. One that is not in use is forgotten",
                        standard = "10000",
                        least = "10",
                        most = "1000000")
                int maxTopics,
        @Setting(
                        about =
                                "on how many topics clients may leave a retained message at the"
                                        + " embedded broker; who sends one on a further topic is"
                                        + " disconnected",
                        standard = "5000",
                        least = "0",
                        most = "1000000")
                int maxRetained) {

    private static final int PLAIN = 1883;
    private static final int ENCRYPTED = 8883;

    /** Whether the port is encrypted. */
    public enum Tls {
        AUTO,
        ON,
        OFF
    }

    /**
     * A port, or none.
     *
     * @param number 0 for a free one; empty for off
     */
    public record Port(Optional<Integer> number) {}

    /** Whether there is to be no broker at all. */
    public boolean isOff() {
        return port.isPresent() && port.get().number().isEmpty();
    }

    /**
     * Where it listens.
     *
     * @param http whose address and certificate it shares unless told otherwise
     */
    public Doorway doorway(HttpSettings http) {
        boolean encrypted = isEncrypted(http);
        return new Doorway(
                port.map(Port::number).orElse(Optional.of(encrypted ? ENCRYPTED : PLAIN)),
                http.certificate().filter(files -> encrypted),
                clearPort.number(),
                host.orElse(http.host()));
    }

    private boolean isEncrypted(HttpSettings http) {
        return http.certificate().isPresent()
                && switch (tls) {
                    case OFF -> false;
                    case ON -> true;
                    case AUTO -> !HttpSettings.isLoopback(host.orElse(http.host()));
                };
    }

    /** What does not fit to the settings of HTTP, by the name of the setting here. */
    public Map<String, String> problems(HttpSettings http) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (tls == Tls.ON && http.certificate().isEmpty()) {
            problems.put(
                    "tls",
                    "encryption needs a certificate; name it in http.tls.cert, and its key in"
                            + " http.tls.key.");
        }
        if (clearPort.number().isPresent() && !isEncrypted(http)) {
            problems.put(
                    "clear-port",
                    "mqtt.embedded.port is not encrypted, so there is no need for a second one.");
        }
        return problems;
    }

    static Port portOrOff(String text) {
        if (text.equalsIgnoreCase("off")) {
            return new Port(Optional.empty());
        }
        try {
            return new Port(Optional.of(Kind.PORT.read(List.of(text))));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a port; use 1 to 65535, 0 for a free one, or off.".formatted(text),
                    e);
        }
    }

    static Tls tls(String text) {
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
