package dev.millrace.hub.telemetry;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of device channels, their points and their commands. */
public final class TelemetryLayouts {
    static final Layout<ChannelConfiguration> CHANNELS =
            Layout.json(
                            "config:channel:{channel_id:channel}",
                            ChannelConfiguration.class,
                            KeyGrammars.ALL)
                    .named("Channel configuration")
                    .about("How a device channel is reached, and its points.")
                    .bind("channel_id", ChannelConfiguration::id)
                    .ownedBySite()
                    .foreign()
                    .set("idx:channel:protocol:{protocol:protocol}");

    static final Cell TELEMETRY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T")
                    .about("Measured values: point to value, and _updated_at.");

    static final Cell SIGNALS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S")
                    .about("States: point to value, and _updated_at.");

    static final Cell CONTROLS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:C")
                    .about("What was ordered last: point to value, _status and _updated_at.");

    static final Cell ADJUSTMENTS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:A")
                    .about("Set points ordered last: point to value, _status and _updated_at.");

    static final Cell STATUS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:status")
                    .about("Whether the channel is online, last_update, error_count.");

    static final Cell COMMAND =
            ofChannel(KeyType.HASH, "comsrv:cmd:{channel_id:channel}:{cmd_id:shortname}")
                    .about("One command: point_id, value, status, timestamp.");

    static final Cell CONTROL_EVENTS =
            Cell.of(KeyType.LIST, "control:events")
                    .livesWith("channel")
                    .about("What happened to commands, newest first.");

    static final Cell CONTROL_QUEUE =
            ofChannel(KeyType.LIST, "control:queue:{channel_id:channel}")
                    .about("Commands that wait, oldest first.");

    static final Cell POINTS =
            ofChannel(KeyType.SET, "idx:point:channel:{channel_id:channel}")
                    .about("All points of the channel.");

    private TelemetryLayouts() {}

    private static Cell ofChannel(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL).ownedBy("channel_id");
    }

    public static List<Declaration> all() {
        return List.of(
                CHANNELS,
                TELEMETRY,
                SIGNALS,
                CONTROLS,
                ADJUSTMENTS,
                STATUS,
                COMMAND,
                CONTROL_EVENTS,
                CONTROL_QUEUE,
                POINTS);
    }
}
