package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of message channels, read as the hub reads them. */
public final class ReadSettings {
    static final Keys KEYS = new Keys(List.of(PubsubSettings.BLOCK.keys()));

    private ReadSettings() {}

    /** With these flags, all of which must be right. */
    public static PubsubSettings set(String... set) {
        Values values = values(set);
        PubsubSettings settings = PubsubSettings.BLOCK.read(values);
        assertThat(values.problems()).isEmpty();
        return settings;
    }

    static Values values(String... set) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(set), Map.of());
    }

    /** What is wrong with a file of the reference. */
    public static List<String> problems(Path directory, String text, String... set) {
        Values values = file(directory, text, set);
        PubsubSettings.BLOCK.read(values);
        return values.problems().stream().map(each -> each.replace(directory + "/", "")).toList();
    }

    /** What a file of the reference says, which must be right. */
    static PubsubSettings read(Path directory, String text, String... set) {
        Values values = file(directory, text, set);
        PubsubSettings settings = PubsubSettings.read(values, List.of("redis.local:6379"));
        assertThat(values.problems()).isEmpty();
        return settings;
    }

    static Values file(Path directory, String text, String... set) {
        Path file = directory.resolve("ref.yaml");
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> all = new ArrayList<>(List.of("pubsub.config=" + file));
        all.addAll(List.of(set));
        return values(all.toArray(String[]::new));
    }
}
