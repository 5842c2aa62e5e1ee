package dev.millrace.hub.telemetry;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.hub.telemetry.kept.ChannelCodec;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The keys of device channels, their points and their commands. All that a write of values touches
 * lives with the channel; configurations are the site's, so that one number counts their changes.
 */
public final class TelemetryLayouts {
    static final String CONFIGURED = "comsrv:configured";
    static final String PROTOCOLS = "idx:channel:protocol:{protocol:protocol}";

    static final Layout<ChannelConfiguration> CHANNELS =
            Layout.json(
                            "config:channel:{channel_id:channel}",
                            ChannelConfiguration.class,
                            new ChannelCodec(),
                            KeyGrammars.ALL)
                    .named("Channel configuration")
                    .about("How a device channel is reached, and its points.")
                    .bind("channel_id", ChannelConfiguration::id)
                    .bind("protocol", ChannelConfiguration::protocol)
                    .ownedBySite()
                    .foreign()
                    .set(CONFIGURED)
                    .set(PROTOCOLS);

    static final String ONLINE = "comsrv:online";

    static final Layout<ChannelStatus> CHANNEL_STATUS =
            Layout.hash("status:channel:{channel_id:channel}", ChannelStatus.class, KeyGrammars.ALL)
                    .named("Channel status")
                    .about("status, last_update, error_count, success_count.")
                    .bind("channel_id", ChannelStatus::channelId)
                    .ownedBy("channel_id")
                    .foreign()
                    .indexedBy("status")
                    .set(ONLINE)
                    .when(ChannelStatus::online);

    static final Cell TELEMETRY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T")
                    .about("Measured values: point to value, and _updated_at.");

    static final Cell SIGNALS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S")
                    .about("States: point to value, and _updated_at.");

    static final Cell TELEMETRY_TIMES =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T:ts")
                    .about("When each value was measured, in ms.");

    static final Cell SIGNAL_TIMES =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S:ts")
                    .about("When each state was measured, in ms.");

    static final Cell TELEMETRY_QUALITY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T:q")
                    .about("How far each value may be believed; good where nothing is said.");

    static final Cell SIGNAL_QUALITY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S:q")
                    .about("How far each state may be believed; good where nothing is said.");

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

    static final Cell INDEX =
            Cell.of(KeyType.SET, "comsrv:index")
                    .livesWith("channel", UnaryOperator.identity())
                    .about("Channels that have values.");

    private TelemetryLayouts() {}

    private static Cell ofChannel(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL).ownedBy("channel_id");
    }

    /** Where the values of this type are; those of others than T and S have nothing beside them. */
    static Cell values(PointType type) {
        return switch (type) {
            case T -> TELEMETRY;
            case S -> SIGNALS;
            case C -> CONTROLS;
            case A -> ADJUSTMENTS;
        };
    }

    /** When they were measured. */
    static Cell times(PointType type) {
        return type == PointType.S ? SIGNAL_TIMES : TELEMETRY_TIMES;
    }

    /** How far they may be believed. */
    static Cell qualities(PointType type) {
        return type == PointType.S ? SIGNAL_QUALITY : TELEMETRY_QUALITY;
    }

    /** The channels with values that live where this one does. */
    static Cell.Key index(String channel) {
        return INDEX.of(channel);
    }

    public static List<Declaration> all() {
        return List.of(
                CHANNELS,
                CHANNEL_STATUS,
                TELEMETRY,
                SIGNALS,
                TELEMETRY_TIMES,
                SIGNAL_TIMES,
                TELEMETRY_QUALITY,
                SIGNAL_QUALITY,
                CONTROLS,
                ADJUSTMENTS,
                STATUS,
                COMMAND,
                CONTROL_EVENTS,
                CONTROL_QUEUE,
                POINTS,
                INDEX);
    }
}
