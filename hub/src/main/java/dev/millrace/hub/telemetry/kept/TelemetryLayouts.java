package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The keys of device channels, their points and their commands. All that a write of values touches
 * lives with the channel; configurations are the site's, so that one number counts their changes.
 */
public final class TelemetryLayouts {
    /** What the room is called. */
    public static final String ROOM = "telemetry";

    /** A day at most, and a few megabytes: it is for those who listen, not a second archive. */
    public static final Topic TOPIC =
            Topic.named("telemetry").keeping(Duration.ofDays(1), 16L << 20, 64L << 20);

    public static final String CONFIGURED = "comsrv:configured";
    public static final String PROTOCOLS = "idx:channel:protocol:{protocol:protocol}";

    public static final Layout<ChannelConfiguration> CHANNELS =
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

    public static final String ONLINE = "comsrv:online";

    public static final Layout<ChannelStatus> CHANNEL_STATUS =
            Layout.hash("status:channel:{channel_id:channel}", ChannelStatus.class, KeyGrammars.ALL)
                    .named("Channel status")
                    .about("status, last_update, error_count, success_count.")
                    .bind("channel_id", ChannelStatus::channelId)
                    .ownedBy("channel_id")
                    .foreign()
                    .indexedBy("status")
                    .set(ONLINE)
                    .when(ChannelStatus::online);

    public static final Cell INDEX =
            Cell.of(KeyType.SET, "comsrv:index")
                    .livesWith("channel", UnaryOperator.identity())
                    .about("Channels that have values.");

    public static final Cell TELEMETRY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T")
                    .about("Measured values: point to value, and _updated_at.")
                    .enteredIn(INDEX, "channel_id");

    public static final Cell SIGNALS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S")
                    .about("States: point to value, and _updated_at.")
                    .enteredIn(INDEX, "channel_id");

    public static final Cell TELEMETRY_TIMES =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T:ts")
                    .about("When each value was measured, in ms.");

    public static final Cell SIGNAL_TIMES =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S:ts")
                    .about("When each state was measured, in ms.");

    public static final Cell TELEMETRY_QUALITY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:T:q")
                    .about("How far each value may be believed; good where nothing is said.");

    public static final Cell SIGNAL_QUALITY =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:S:q")
                    .about("How far each state may be believed; good where nothing is said.");

    public static final Cell CONTROLS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:C")
                    .about("What was ordered last: point to value, _status and _updated_at.");

    public static final Cell ADJUSTMENTS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:A")
                    .about("Set points ordered last: point to value, _status and _updated_at.");

    public static final Cell STATUS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:status")
                    .about("Whether the channel is online, last_update, error_count.");

    public static final Cell COMMAND =
            ofChannel(KeyType.HASH, "comsrv:cmd:{channel_id:channel}:{cmd_id:shortname}")
                    .about("One command: point_id, value, status, timestamp.");

    public static final Cell CONTROL_EVENTS =
            Cell.of(KeyType.LIST, "control:events")
                    .livesWith("channel")
                    .about("What happened to commands, newest first.");

    public static final Cell CONTROL_EVENT_NUMBER =
            Cell.of(KeyType.STRING, "millrace:control-events-seq")
                    .livesWith("channel")
                    .about("The number of the newest event of commands.");

    public static final Cell CONTROL_QUEUE =
            ofChannel(KeyType.LIST, "control:queue:{channel_id:channel}")
                    .about("Commands that wait, oldest first.");

    public static final Cell CONTROL_PROCESSING =
            ofChannel(KeyType.LIST, "control:queue:{channel_id:channel}:processing")
                    .about("The command that is being executed.");

    public static final Cell LATEST_COMMANDS =
            ofChannel(KeyType.LIST, "millrace:commands:{channel_id:channel}")
                    .about("The ids of the latest commands of a channel, newest first.");

    public static final Cell COMMAND_CHANNEL =
            Cell.of(KeyType.STRING, "millrace:command-channel:{cmd_id:shortname}", KeyGrammars.ALL)
                    .ownedBy("cmd_id")
                    .expires(Duration.ofHours(25))
                    .about("The channel of a command whose id somebody has chosen.");

    public static final Cell POINTS =
            ofChannel(KeyType.SET, "idx:point:channel:{channel_id:channel}")
                    .about("All points of the channel.");

    static final Cell OPERATIONS =
            Cell.of(KeyType.HASH, "comsrv:operations")
                    .about("Channels that somebody has stopped or restarted, and how often.");

    static final Cell POLLS =
            ofChannel(KeyType.HASH, "comsrv:{channel_id:channel}:polls")
                    .about("How polling goes: reconnects, durations, the last error.");

    private TelemetryLayouts() {}

    /** Which channels are stopped; the site's. */
    public static Cell.Key operations() {
        return OPERATIONS.at();
    }

    /** How polling of a channel goes; lives with it. */
    public static Cell.Key polls(String channel) {
        return POLLS.at(channel);
    }

    private static Cell ofChannel(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL).ownedBy("channel_id");
    }

    /** Where the values of this type are; those of others than T and S have nothing beside them. */
    public static Cell values(PointType type) {
        return switch (type) {
            case T -> TELEMETRY;
            case S -> SIGNALS;
            case C -> CONTROLS;
            case A -> ADJUSTMENTS;
        };
    }

    /** When they were measured. */
    public static Cell times(PointType type) {
        return type == PointType.S ? SIGNAL_TIMES : TELEMETRY_TIMES;
    }

    /** How far they may be believed. */
    public static Cell qualities(PointType type) {
        return type == PointType.S ? SIGNAL_QUALITY : TELEMETRY_QUALITY;
    }

    /** The channels with values that live where this one does. */
    public static Cell.Key index(String channel) {
        return INDEX.of(channel);
    }

    /** What a channel has of commands beside their records, which go by themselves. */
    public static List<Cell.Key> queues(String channel) {
        return List.of(
                CONTROL_QUEUE.at(channel),
                CONTROL_PROCESSING.at(channel),
                LATEST_COMMANDS.at(channel));
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
                CONTROL_EVENT_NUMBER,
                CONTROL_QUEUE,
                CONTROL_PROCESSING,
                LATEST_COMMANDS,
                COMMAND_CHANNEL,
                POINTS,
                INDEX,
                OPERATIONS,
                POLLS);
    }
}
