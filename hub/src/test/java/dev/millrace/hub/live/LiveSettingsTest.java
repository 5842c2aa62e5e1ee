package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class LiveSettingsTest {
    private static Values values(String... set) {
        return SettingsSources.read(
                new Keys(List.of(LiveSettings.BLOCK.keys())),
                Optional.empty(),
                List.of(set),
                Map.of());
    }

    @Test
    void nothing_said_means_the_defaults() {
        Values values = values();
        assertThat(LiveSettings.BLOCK.read(values))
                .isEqualTo(
                        new LiveSettings(
                                20_000, Duration.ofSeconds(15), Duration.ofSeconds(60), 4096));
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void every_key_is_mapped() {
        Values values =
                values(
                        "live.max-clients=7",
                        "live.heartbeat=8s",
                        "live.slow-time-out=9s",
                        "live.recent-facts=100");
        assertThat(LiveSettings.BLOCK.read(values))
                .isEqualTo(new LiveSettings(7, Duration.ofSeconds(8), Duration.ofSeconds(9), 100));
        assertThat(values.problems()).isEmpty();
        assertThat(LiveSettings.BLOCK.keys().keys()).hasSize(4);
    }
}
