package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Held;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands and queues as they are stored. Thread-safe. */
final class CommandReads {
    private static final String ONLINE = "online";

    private final Keyspace keyspace;
    private final ChannelBook channels;

    CommandReads(Keyspace keyspace, ChannelBook channels) {
        this.keyspace = keyspace;
        this.channels = channels;
    }

    /**
     * What a submit goes by, of one moment for each key.
     *
     * @param before the record with this id, if there is one
     * @param previous what was ordered of the point before
     * @param elsewhere the channel that a command with this id was given to; 0 if to none
     */
    record Ground(
            Optional<Command> before,
            boolean online,
            long waiting,
            Optional<String> previous,
            int elsewhere) {}

    Ground ground(int channel, PointType type, String point, String id) {
        String owner = Integer.toString(channel);
        Cells cells = keyspace.cells();
        var record = cells.hash(TelemetryLayouts.COMMAND.at(owner, id));
        var online = cells.fields(TelemetryLayouts.STATUS.at(owner), List.of(ONLINE));
        var waiting = cells.size(TelemetryLayouts.CONTROL_QUEUE.at(owner));
        var previous = cells.fields(TelemetryLayouts.values(type).at(owner), List.of(point));
        var said = cells.string(TelemetryLayouts.COMMAND_CHANNEL.at(id));
        return new Ground(
                command(channel, id, record.answer()),
                isOnline(online.answer()),
                waiting.answer().or(0L),
                Optional.ofNullable(previous.answer().or(Map.of()).get(point)),
                PointIds.channel(said.answer().or("")));
    }

    /** What was ordered of a point last. */
    Optional<String> ordered(int channel, PointType type, String point) {
        var fields =
                keyspace.cells()
                        .fields(
                                TelemetryLayouts.values(type).at(Integer.toString(channel)),
                                List.of(point));
        return Optional.ofNullable(fields.answer().or(Map.of()).get(point));
    }

    private static boolean isOnline(Held<Map<String, String>> status) {
        return "true".equals(status.or(Map.of()).get(ONLINE));
    }

    private static Optional<Command> command(
            int channel, String id, Held<Map<String, String>> held) {
        Map<String, String> fields = held.or(Map.of());
        return fields.isEmpty() ? Optional.empty() : Optional.of(new Command(channel, id, fields));
    }

    // ---------------------------------------------------------------- commands

    Optional<Command> find(int channel, String id) {
        if (!CommandIds.canBe(id)) {
            return Optional.empty();
        }
        var record =
                keyspace.cells().hash(TelemetryLayouts.COMMAND.at(Integer.toString(channel), id));
        return command(channel, id, record.answer());
    }

    /**
     * Ids made here say their channel, and of those that were chosen it is kept; of what others
     * have recorded all channels are asked, in one trip.
     */
    Optional<Command> find(String id) {
        if (!CommandIds.canBe(id)) {
            return Optional.empty();
        }
        int said = CommandIds.channelOf(id);
        int kept =
                said != 0
                        ? said
                        : PointIds.channel(
                                keyspace.cells()
                                        .string(TelemetryLayouts.COMMAND_CHANNEL.at(id))
                                        .answer()
                                        .or(""));
        Optional<Command> found = kept == 0 ? Optional.empty() : find(kept, id);
        if (found.isPresent()) {
            return found;
        }
        Cells cells = keyspace.cells();
        Map<Integer, Cells.Question<Map<String, String>>> asked = new LinkedHashMap<>();
        for (ChannelConfiguration channel : channels.all()) {
            asked.put(
                    channel.id(),
                    cells.hash(TelemetryLayouts.COMMAND.at(Integer.toString(channel.id()), id)));
        }
        return asked.entrySet().stream()
                .flatMap(each -> command(each.getKey(), id, each.getValue().answer()).stream())
                .findFirst();
    }

    /** The newest first, as far as their records are still there. */
    List<Command> latest(int channel, int most) {
        String owner = Integer.toString(channel);
        List<String> ids =
                keyspace.cells()
                        .list(TelemetryLayouts.LATEST_COMMANDS.at(owner), 0, most - 1L)
                        .answer()
                        .or(List.of());
        Cells cells = keyspace.cells();
        List<Cells.Question<Map<String, String>>> records =
                ids.stream().map(id -> cells.hash(TelemetryLayouts.COMMAND.at(owner, id))).toList();
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            command(channel, ids.get(i), records.get(i).answer()).ifPresent(commands::add);
        }
        return commands;
    }

    // ---------------------------------------------------------------- queues

    /** What the worker of a channel goes by. */
    record Waiting(List<byte[]> processing, List<byte[]> queue, boolean online) {}

    Waiting waiting(int channel) {
        String owner = Integer.toString(channel);
        Cells cells = keyspace.cells();
        var processing = cells.elements(TelemetryLayouts.CONTROL_PROCESSING.at(owner), 0, -1);
        // Others may push more than this hub does; what is behind that many comes into sight later.
        var queue =
                cells.elements(
                        TelemetryLayouts.CONTROL_QUEUE.at(owner), 0, CommandWrites.MOST_WAITING);
        var online = cells.fields(TelemetryLayouts.STATUS.at(owner), List.of(ONLINE));
        return new Waiting(
                list(processing.answer()), list(queue.answer()), isOnline(online.answer()));
    }

    private static List<byte[]> list(Held<List<byte[]>> held) {
        return switch (held) {
            case Held.Value<List<byte[]>>(List<byte[]> elements) -> elements;
            case Held.Nothing<List<byte[]>>() -> List.of();
            case Held.SomethingElse<List<byte[]>>() ->
                    throw new RedisException(
                            Reason.WRONG_TYPE, "The queue of a channel is not a list.");
        };
    }

    /** The channels among these for which something waits. */
    List<Integer> withWork(List<Integer> held) {
        Cells cells = keyspace.cells();
        List<Cells.Question<Long>> sizes =
                held.stream()
                        .map(
                                id ->
                                        cells.size(
                                                TelemetryLayouts.CONTROL_QUEUE.at(
                                                        Integer.toString(id))))
                        .toList();
        List<Integer> working = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            if (sizes.get(i).answer().or(0L) > 0) {
                working.add(held.get(i));
            }
        }
        return working;
    }
}
