package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings of commands, which begin with {@code commands}. */
public record CommandSettings(
        @Setting(
                        about = "how long a device may take to answer a command",
                        standard = "30s",
                        least = "100ms")
                Duration timeout,
        @Setting(
                        about =
                                "how long a command may wait where it does not say so itself; later"
                                        + " it is not sent any more",
                        standard = "1h",
                        least = "1s")
                Duration queueWait,
        @Setting(
                        about =
                                "how long a command waits for a device that has gone offline,"
                                        + " unless it was given for an offline device",
                        standard = "10s",
                        least = "1s")
                Duration offlineWait,
        @Setting(
                        about = "how long the record of a command is kept after its end",
                        standard = "24h",
                        least = "1m")
                Duration keep) {}
