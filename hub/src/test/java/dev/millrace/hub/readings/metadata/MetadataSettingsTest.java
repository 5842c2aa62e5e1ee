package dev.millrace.hub.readings.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.readings.ReadingsSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class MetadataSettingsTest {
    private static Values values(String... set) {
        return SettingsSources.read(
                new Keys(List.of(ReadingsSettings.BLOCK.keys())),
                Optional.empty(),
                List.of(set),
                Map.of());
    }

    private static MetadataSettings read(Values values) {
        return ReadingsSettings.BLOCK.read(values).metadata();
    }

    @Test
    void nothing_said_means_that_nobody_is_asked() {
        assertThat(read(values())).isEqualTo(MetadataSettings.NONE);
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        read(
                                values(
                                        "readings.metadata.url=http://gateway:48081/",
                                        "readings.metadata.check=true",
                                        "readings.metadata.update-device=on",
                                        "readings.metadata.update-service=yes")))
                .isEqualTo(
                        new MetadataSettings(
                                Optional.of(URI.create("http://gateway:48081")), true, true, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "update-device", "update-service"})
    void what_needs_an_address_says_so(String key) {
        Values values = values("readings.metadata." + key + "=true");
        read(values);
        assertThat(values.problems())
                .containsExactly(
                        "--set readings.metadata."
                                + key
                                + ": There is no metadata service to ask. Say where it is, for"
                                + " example --set readings.metadata.url=http://gateway:48081, or"
                                + " leave this off.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway:48081",
                "ftp://gateway",
                "http://gateway/path",
                "http://gateway?a=b",
                "http://me:word@gateway",
                "http://"
            })
    void an_address_that_is_none_is_told_once(String url) {
        Values values = values("readings.metadata.url=" + url, "readings.metadata.check=true");
        read(values);
        assertThat(values.problems())
                .containsExactly(
                        "--set readings.metadata.url: The address of a metadata service is written"
                                + " as http://gateway:48081.");
    }
}
