package dev.millrace.hub.mqtt;

import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The broker in use, and as whom we come.
 *
 * @param trust certificates that vouch for it, as PEM; empty for those that Java trusts
 * @param inFlight how many messages it may send us unacknowledged. An outside broker gets no limit
 *     but that of the protocol: Mosquitto does not keep to one that is below its own setting, and
 *     what comes beyond it would be lost until the next connection
 */
record Target(BrokerUrl url, Optional<Path> trust, int inFlight) {
    private static final int OF_THE_PROTOCOL = 65_535;
    private static final int OF_THE_EMBEDDED = 256;

    static Target outside(BrokerUrl url, Optional<Path> trust) {
        return new Target(url, trust, OF_THE_PROTOCOL);
    }

    static Target embedded(int port, String secret) {
        BrokerUrl url =
                new BrokerUrl(
                        InetAddress.getLoopbackAddress().getHostAddress(),
                        port,
                        false,
                        Optional.of(EmbeddedBroker.USER),
                        Optional.of(secret));
        return new Target(url, Optional.empty(), OF_THE_EMBEDDED);
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
