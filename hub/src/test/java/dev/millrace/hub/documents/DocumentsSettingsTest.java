package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.settings.BadSettingsException;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class DocumentsSettingsTest {

    private static DocumentsSettings set(String... set) {
        Values values =
                SettingsSources.read(
                        new Keys(List.of(DocumentsSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of(set),
                        Map.of());
        DocumentsSettings settings = DocumentsSettings.BLOCK.read(values);
        values.mustBeRight();
        return settings;
    }

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(set())
                .isEqualTo(
                        new DocumentsSettings(
                                "history",
                                "brewcast/datastore",
                                Bytes.of("64MiB"),
                                Bytes.of("1MiB"),
                                10,
                                Bytes.of("256KiB"),
                                Duration.ofDays(30)));
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        set(
                                "documents.name=store",
                                "documents.topic=changes",
                                "documents.max-body=1MiB",
                                "documents.max-document=2KiB",
                                "documents.versions=0",
                                "documents.versions-bytes=5kb",
                                "documents.versions-after-delete=1h"))
                .isEqualTo(
                        new DocumentsSettings(
                                "store",
                                "changes",
                                Bytes.of("1MiB"),
                                Bytes.of("2KiB"),
                                0,
                                Bytes.of("5KiB"),
                                Duration.ofHours(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "documents.name=a/b",
                "documents.name=a b",
                "documents.topic=a/#",
                "documents.topic=+",
                "documents.topic=/a",
                "documents.topic=a/",
                "documents.topic=$SYS",
                "documents.max-document=2MiB"
            })
    void what_cannot_be_is_refused(String setting) {
        assertThatThrownBy(() -> set(setting)).isInstanceOf(BadSettingsException.class);
    }
}
