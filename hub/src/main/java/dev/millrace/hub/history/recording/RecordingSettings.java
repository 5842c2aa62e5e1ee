package dev.millrace.hub.history.recording;

import dev.millrace.hub.settings.Setting;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is recorded where the configuration of the service says nothing else. */
public record RecordingSettings(
        @Setting(
                        about = "record the values of device channels and models as samples",
                        standard = "true")
                boolean on,
        @Setting(
                        about =
                                "when a value becomes a sample: on_change, on_update (every value)"
                                        + " or interval",
                        standard = "on_change")
                Mode mode,
        @Setting(
                        about =
                                "with on_change, by how much a number must differ from the last"
                                        + " one",
                        standard = "0",
                        by = "deadband")
                double deadband,
        @Setting(
                        about = "with interval, the time between two samples",
                        standard = "60s",
                        least = "1s")
                Duration interval,
        @Setting(
                        about =
                                "with on_change, after how long a value is recorded again though it"
                                        + " is the same",
                        standard = "300s",
                        least = "1s")
                Duration maxInterval) {

    /** Reads a setting. */
    public static double deadband(String text) {
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("'%s' is not a number from 0.".formatted(text));
    }

    /** As a rule for everything that this pattern names. */
    Rule rule(String pattern) {
        return new Rule(
                pattern,
                mode,
                deadband,
                interval,
                maxInterval,
                Optional.empty(),
                List.of(),
                List.of());
    }
}
