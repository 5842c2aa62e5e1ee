package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.readings.metadata.MetadataSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.work.Keep;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ReadingsSettingsTest {
    static ReadingsSettings set(String... set) {
        return ReadingsSettings.BLOCK.read(
                SettingsSources.read(
                        new Keys(List.of(ReadingsSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of(set),
                        Map.of()));
    }

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(set())
                .isEqualTo(
                        new ReadingsSettings(
                                500,
                                50_000,
                                true,
                                Checksum.XXHASH,
                                false,
                                MetadataSettings.NONE,
                                Optional.empty(),
                                new Keep.Count(5_000_000),
                                Optional.empty(),
                                new ReadingsSettings.OnMqtt(true, true)));
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
                                "readings.metadata.url=http://gateway:48081",
                                "readings.metadata.check=yes",
                                "readings.metadata.update-device=yes",
                                "readings.metadata.update-service=yes",
                                "readings.keep-age=2d",
                                "readings.keep-count=9",
                                "readings.keep-bytes=1MiB",
                                "readings.mqtt.ingest=no",
                                "readings.mqtt.announce=no"))
                .isEqualTo(
                        new ReadingsSettings(
                                7,
                                8,
                                false,
                                Checksum.MD5,
                                true,
                                new MetadataSettings(
                                        Optional.of(URI.create("http://gateway:48081")),
                                        true,
                                        true,
                                        true),
                                Optional.of(Duration.ofDays(2)),
                                new Keep.Count(9),
                                Optional.of(new Keep.Size(1L << 20)),
                                new ReadingsSettings.OnMqtt(false, false)));
    }
}
