package dev.millrace.hub;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.mqtt.BrokerUrl;
import dev.millrace.keyspace.doctor.Doctor.Advice;
import dev.millrace.keyspace.doctor.Doctor.Level;

import java.util.ArrayList;
import java.util.List;

/** Where tokens and passwords travel in the clear, so that everybody on the way can read them. */
public final class ClearText {
    private static final String SETTINGS = "settings";

    private ClearText() {}

    /** A warning for each place; what to type is there too. */
    public static List<Advice> advice(Settings settings) {
        List<Advice> advice = new ArrayList<>();
        boolean tokens = settings.access().mode() == AccessSettings.Mode.TOKEN;
        if (tokens && !settings.http().isLoopback() && settings.http().certificate().isEmpty()) {
            advice.add(
                    warning(
                            "HTTP on %s is not encrypted: tokens can be read by everybody on the way."
                                            .formatted(settings.http().host())
                                    + " Give the hub a certificate, or let it listen on 127.0.0.1"
                                    + " behind a proxy that has one.",
                            "--set http.tls.cert=cert.pem --set http.tls.key=key.pem"));
        }
        if (tokens && settings.mqtt().embeds() && settings.doorway().inTheClear()) {
            advice.add(
                    warning(
                            "MQTT on %s is not encrypted%s: tokens can be read by everybody on the way."
                                    .formatted(
                                            settings.doorway().host(),
                                            settings.doorway().tls().isPresent()
                                                    ? " on mqtt.embedded.clear-port"
                                                    : ""),
                            settings.http().certificate().isPresent()
                                    ? "--set mqtt.embedded.tls=on --set"
                                            + " mqtt.embedded.clear-port=off"
                                    : "--set http.tls.cert=cert.pem --set http.tls.key=key.pem"));
        }
        settings.mqtt()
                .url()
                .filter(ClearText::showsPassword)
                .ifPresent(
                        broker ->
                                advice.add(
                                        warning(
                                                "The way to the broker %s is not encrypted: its password"
                                                                .formatted(broker)
                                                        + " can be read by everybody on the way.",
                                                "mqtt.url with mqtts://")));
        return List.copyOf(advice);
    }

    private static boolean showsPassword(BrokerUrl broker) {
        return broker.password().isPresent()
                && !broker.encrypted()
                && !HttpSettings.isLoopback(broker.host());
    }

    private static Advice warning(String sentence, String type) {
        return new Advice(Level.WARNING, SETTINGS, sentence, type);
    }
}
