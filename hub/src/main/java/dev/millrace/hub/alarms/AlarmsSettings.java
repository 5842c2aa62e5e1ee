package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The settings of alarms. */
public record AlarmsSettings(
        @Setting(about = "the longest that an alarm may be shelved", standard = "1d", least = "1s")
                Duration longestShelving,
        @Setting(
                        about = "how long an alarm that was cleared by hand does not come back",
                        standard = "0s",
                        least = "0s")
                Duration manualClearHoldoff,
        Notified notifications,
        @Setting(
                        about = "what happens to alarms is published on this message channel",
                        empty = "on none")
                Optional<String> messageChannel,
        @Setting(
                        about = "what happens to alarms is told on millrace/alarms/{rule} by MQTT",
                        standard = "true")
                boolean mqtt) {

    public static final Block<AlarmsSettings> BLOCK =
            Block.of("alarms", "Alarms", AlarmsSettings.class);

    /** Which alarms become notifications, and of which severity. */
    public record Notified(
            @Setting(about = "of level Critical: critical, normal or off", standard = "critical")
                    Severity critical,
            @Setting(about = "of level Major: critical, normal or off", standard = "normal")
                    Severity major,
            @Setting(about = "of level Minor: critical, normal or off", standard = "off")
                    Severity minor,
            @Setting(about = "of level Warning: critical, normal or off", standard = "off")
                    Severity warning,
            @Setting(about = "of level Info: critical, normal or off", standard = "off")
                    Severity info,
            @Setting(
                            about =
                                    "of these categories, whatever their level, such as"
                                            + " fire=critical and test=off",
                            empty = "by level alone")
                    Map<String, Severity> categories) {

        public Severity of(Optional<Level> level, String category) {
            return Optional.ofNullable(categories.get(category))
                    .or(() -> level.map(this::of))
                    .orElse(Severity.OFF);
        }

        private Severity of(Level level) {
            return switch (level) {
                case CRITICAL -> critical;
                case MAJOR -> major;
                case MINOR -> minor;
                case WARNING -> warning;
                case INFO -> info;
            };
        }
    }

    /** Of the notification that an alarm becomes. */
    public enum Severity {
        CRITICAL,
        NORMAL,
        OFF
    }
}
