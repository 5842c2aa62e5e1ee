package dev.millrace.hub.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How the hub decides who may do what.
 *
 * @param networks who gets in without a token; of several that cover an address the most specific
 *     counts, also where it gives less
 * @param freeAttempts wrong tokens from one address before it is slowed down
 * @param longestDelay between two attempts of one that goes on guessing
 */
public record AccessSettings(
        Mode mode, List<Network> networks, int freeAttempts, Duration longestDelay) {

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
        networks =
                networks.stream()
                        .sorted(Comparator.comparingInt(Network::bits).reversed())
                        .toList();
        Set<String> ranges = new HashSet<>();
        for (Network network : networks) {
            if (!ranges.add(network.range())) {
                throw new IllegalArgumentException(
                        "%s is named twice; give it one role.".formatted(network.range()));
            }
        }
        if (freeAttempts < 1 || longestDelay.isNegative() || longestDelay.isZero()) {
            throw new IllegalArgumentException(
                    "At least one attempt must be free, and the longest delay be more than 0.");
        }
    }

    public static AccessSettings defaults() {
        return new AccessSettings(Mode.OPEN, List.of(), 5, Duration.ofMinutes(1));
    }

    public AccessSettings withMode(Mode changed) {
        return new AccessSettings(changed, networks, freeAttempts, longestDelay);
    }

    public AccessSettings withNetworks(List<Network> changed) {
        return new AccessSettings(mode, changed, freeAttempts, longestDelay);
    }

    /** The most specific network that an address is in. */
    Optional<Network> networkOf(InetAddress peer) {
        for (Network network : networks) {
            if (network.covers(peer)) {
                return Optional.of(network);
            }
        }
        return Optional.empty();
    }

    /** Why a hub with these settings must not listen there, if it must not. */
    public Optional<String> problemWith(String host) {
        if (mode == Mode.TOKEN || isLoopback(host)) {
            return Optional.empty();
        }
        return Optional.of(
                "access.mode is open, so everybody who reaches %s would be an admin; set"
                                .formatted(host.isEmpty() ? "this machine" : host)
                        + " access.mode=token and make a token with ./millrace token create, or"
                        + " listen on 127.0.0.1.");
    }

    private static boolean isLoopback(String host) {
        try {
            // An empty name would be taken for this machine.
            return !host.isBlank()
                    && Stream.of(InetAddress.getAllByName(host))
                            .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
