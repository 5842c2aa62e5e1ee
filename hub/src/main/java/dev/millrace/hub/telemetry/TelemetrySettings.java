package dev.millrace.hub.telemetry;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.telemetry.commands.CommandSettings;
import dev.millrace.hub.telemetry.realtime.RealtimeSettings;

import java.time.Duration;

/** The settings of device channels. */
record TelemetrySettings(
        @Setting(
                        about =
                                "how long a channel may be silent before it is offline, where its"
                                        + " configuration does not say how often it is polled",
                        standard = "60s",
                        least = "1s")
                Duration offlineAfter,
        Mqtt mqtt,
        CommandSettings commands,
        RealtimeSettings realtime) {

    static final Block<TelemetrySettings> BLOCK =
            Block.of("telemetry", "Device channels", TelemetrySettings.class);

    /** The settings that begin with {@code mqtt}. */
    record Mqtt(
            @Setting(
                            about = "take values from millrace/telemetry/{channel}/{type} by MQTT",
                            standard = "true")
                    boolean ingest) {}
}
