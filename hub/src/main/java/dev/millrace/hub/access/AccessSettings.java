package dev.millrace.hub.access;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Setting;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How the hub decides who may do what.
 *
 * @param networks of several that an address is in the most specific counts, also where it gives
 *     less
 */
public record AccessSettings(
        @Setting(
                        about =
                                "open: everybody may do everything, on 127.0.0.1 only; token: who"
                                        + " has a token may do what its role allows",
                        standard = "open")
                Mode mode,
        @Setting(
                        about =
                                "for clients that cannot send a token: roles (viewer, operator,"
                                        + " engineer, admin) of addresses, as"
                                        + " 10.0.0.0/8=viewer,10.1.0.7=operator",
                        empty = "none")
                Map<Network, Role> networks,
        @Setting(
                        about =
                                "how many wrong tokens may come from an address before it has to"
                                        + " wait",
                        standard = "5",
                        least = "1",
                        most = "1000")
                int freeAttempts,
        @Setting(
                        about = "how long one that goes on guessing has to wait in the end",
                        standard = "1m")
                Duration longestDelay) {

    public static final Block<AccessSettings> BLOCK =
            Block.of("access", "Who may do what", AccessSettings.class);

    /** Whether tokens are looked at. */
    public enum Mode {
        /**
         * Everybody who can reach the hub is an admin; for a hub that only this machine reaches.
         */
        OPEN,
        /** Everybody needs a token, or an address in one of the networks. */
        TOKEN
    }

    public AccessSettings {
        Map<Network, Role> specificFirst = new LinkedHashMap<>();
        networks.entrySet().stream()
                .sorted(
                        Comparator.comparingInt(
                                        (Map.Entry<Network, Role> each) -> each.getKey().prefix())
                                .reversed())
                .forEach(each -> specificFirst.put(each.getKey(), each.getValue()));
        networks = Collections.unmodifiableMap(specificFirst);
    }

    public static AccessSettings defaults() {
        return BLOCK.standard();
    }

    public AccessSettings withMode(Mode changed) {
        return new AccessSettings(changed, networks, freeAttempts, longestDelay);
    }

    public AccessSettings withNetworks(Map<Network, Role> changed) {
        return new AccessSettings(mode, changed, freeAttempts, longestDelay);
    }

    /** The most specific network that an address is in, and its role. */
    Optional<Map.Entry<Network, Role>> networkOf(InetAddress peer) {
        for (Map.Entry<Network, Role> each : networks.entrySet()) {
            if (each.getKey().contains(peer)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
