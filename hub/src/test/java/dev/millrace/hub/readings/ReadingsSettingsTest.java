package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ReadingsSettingsTest {
    private static ReadingsSettings set(String... set) {
        return ReadingsSettings.read(
                SettingsSources.read(
                        new Keys(List.of(ReadingsSettings.KEYS)),
                        Optional.empty(),
                        List.of(set),
                        Map.of()));
    }

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(set())
                .isEqualTo(
                        new ReadingsSettings(
                                500, 50_000, true, Checksum.XXHASH, false, MetadataSettings.NONE));
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        set(
                                "readings.max-readings=7",
                                "readings.max-results=8",
                                "readings.persist=no",
                                "readings.checksum=md5",
                                "readings.validate=yes",
                                "readings.metadata.url=http://gateway"))
                .isEqualTo(
                        new ReadingsSettings(
                                7,
                                8,
                                false,
                                Checksum.MD5,
                                true,
                                new MetadataSettings(
                                        Optional.of(URI.create("http://gateway")),
                                        false,
                                        false,
                                        false)));
    }
}
