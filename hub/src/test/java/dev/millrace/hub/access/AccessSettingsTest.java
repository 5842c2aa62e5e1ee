package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.settings.Network;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Networks as part of the settings. */
class AccessSettingsTest {
    @Test
    void the_most_specific_network_counts_also_where_it_gives_less() {
        AccessSettings settings =
                AccessSettings.defaults()
                        .withNetworks(
                                Map.of(
                                        Network.of("10.0.0.0/8"), Role.OPERATOR,
                                        Network.of("10.9.0.0/16"), Role.VIEWER,
                                        Network.of("10.9.9.9"), Role.ADMIN,
                                        Network.of("fd00::/8"), Role.VIEWER));
        assertThat(role(settings, "10.1.1.1")).contains(Role.OPERATOR);
        assertThat(role(settings, "10.9.1.1")).contains(Role.VIEWER);
        assertThat(role(settings, "10.9.9.9")).contains(Role.ADMIN);
        assertThat(role(settings, "192.168.0.1")).isEmpty();
    }

    private static Optional<Role> role(AccessSettings settings, String address) {
        return settings.networkOf(InetAddress.ofLiteral(address)).map(Map.Entry::getValue);
    }

    @Test
    void defaults_are_open_and_without_networks() {
        assertThat(AccessSettings.defaults())
                .isEqualTo(new AccessSettings(Mode.OPEN, Map.of(), 5, Duration.ofMinutes(1)));
    }
}
