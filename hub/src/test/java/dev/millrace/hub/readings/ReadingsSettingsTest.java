package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class ReadingsSettingsTest {
    static ReadingsSettings set(String... set) {
        return ReadingsSettings.read(
                SettingsSources.read(
                        new Keys(List.of(ReadingsSettings.KEYS)),
                        Optional.empty(),
                        List.of(set),
                        Map.of()));
    }

    @Test
    void nothing_said_means_the_defaults() {
        ReadingsSettings settings = set();
        assertThat(settings.maxReadings()).isEqualTo(500);
        assertThat(settings.maxResults()).isEqualTo(50_000);
        assertThat(settings.persist()).isTrue();
        assertThat(settings.checksum()).isEqualTo(Checksum.XXHASH);
        assertThat(settings.validate()).isFalse();
        assertThat(settings.metadata()).isEqualTo(MetadataSettings.NONE);
    }

    @Test
    void every_key_is_mapped() {
        ReadingsSettings settings =
                set(
                        "readings.max-readings=7",
                        "readings.max-results=8",
                        "readings.persist=no",
                        "readings.checksum=md5",
                        "readings.validate=yes",
                        "readings.metadata.url=http://gateway",
                        "readings.metadata.check=yes");
        assertThat(settings.maxReadings()).isEqualTo(7);
        assertThat(settings.maxResults()).isEqualTo(8);
        assertThat(settings.persist()).isFalse();
        assertThat(settings.checksum()).isEqualTo(Checksum.MD5);
        assertThat(settings.validate()).isTrue();
        assertThat(settings.metadata().check()).isTrue();
    }
}
