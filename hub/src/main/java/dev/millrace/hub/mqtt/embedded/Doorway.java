package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.http.server.HttpSettings;

import java.util.Optional;

/**
 * Where guests come to the embedded broker.
 *
 * @param port where it listens, 0 for a free port; empty for no broker at all
 * @param tls the certificate that this port shows; empty for no encryption
 * @param clearPort where it listens without encryption besides; empty for nowhere
 * @param host on which address
 */
public record Doorway(
        Optional<Integer> port,
        Optional<HttpSettings.TlsFiles> tls,
        Optional<Integer> clearPort,
        String host) {

    /** Whether tokens of other machines' clients can be read on their way. */
    public boolean inTheClear() {
        return port.isPresent()
                && !HttpSettings.isLoopback(host)
                && (tls.isEmpty() || clearPort.isPresent());
    }
}
