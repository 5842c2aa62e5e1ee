package dev.millrace.hub.access;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Values;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the hub decides who may do what.
 *
 * @param networks who gets in without a token; of several that an address is in the most specific
 *     counts, also where it gives less
 * @param freeAttempts wrong tokens from one address before it is slowed down
 * @param longestDelay between two attempts of one that goes on guessing
 */
public record AccessSettings(
        Mode mode, Map<Network, Role> networks, int freeAttempts, Duration longestDelay) {

    /** Whether tokens are looked at. */
    public enum Mode {
        /**
         * Everybody who can reach the hub is an admin; for a hub that only this machine reaches.
         */
        OPEN,
        /** Everybody needs a token, or an address in one of the networks. */
        TOKEN
    }

    /** Looked at together with the address that the hub listens on. */
    public static final Key<Mode> MODE =
            Key.of(
                    "access.mode",
                    Kind.choice(Mode.class),
                    "open",
                    "open: everybody may do everything, on 127.0.0.1 only; token: who has a token"
                            + " may do what its role allows");

    private static final Key<Map<Network, Role>> NETWORKS =
            Key.none(
                    "access.networks",
                    Kind.map(Kind.NETWORK, Kind.choice(Role.class)),
                    "none",
                    "for clients that cannot send a token: roles (viewer, operator, engineer,"
                            + " admin) of addresses, as 10.0.0.0/8=viewer,10.1.0.7=operator");

    private static final Key<Integer> FREE_ATTEMPTS =
            Key.of(
                    "access.free-attempts",
                    Kind.number(1, 1000),
                    "5",
                    "how many wrong tokens may come from an address before it has to wait");

    private static final Key<Duration> LONGEST_DELAY =
            Key.of(
                    "access.longest-delay",
                    Kind.time(Duration.ofMillis(1)),
                    "1m",
                    "how long one that goes on guessing has to wait in the end");

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "Who may do what", List.of(MODE, NETWORKS, FREE_ATTEMPTS, LONGEST_DELAY));

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

    public static AccessSettings read(Values values) {
        return new AccessSettings(
                values.get(MODE),
                values.get(NETWORKS),
                values.get(FREE_ATTEMPTS),
                values.get(LONGEST_DELAY));
    }

    public static AccessSettings defaults() {
        return new AccessSettings(
                MODE.fallback(),
                NETWORKS.fallback(),
                FREE_ATTEMPTS.fallback(),
                LONGEST_DELAY.fallback());
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
