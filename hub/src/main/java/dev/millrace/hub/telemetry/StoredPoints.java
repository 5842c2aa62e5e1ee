package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.channels.Channels;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.hub.telemetry.realtime.PointValue;
import dev.millrace.hub.telemetry.realtime.StoredValues;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Stored values as live clients are told them. Thread-safe. */
final class StoredPoints implements StoredValues {
    private final Values values;
    private final ChannelBook book;
    private final Channels channels;

    StoredPoints(Values values, ChannelBook book, Channels channels) {
        this.values = values;
        this.book = book;
        this.channels = channels;
    }

    @Override
    public List<PointValue> all(int channel, PointType type) {
        Values.Stored stored = values.all(channel, type);
        List<PointValue> all = new ArrayList<>(stored.values().size());
        for (String point : stored.values().keySet()) {
            Points.Present present = stored.present(point);
            Value value = present.value();
            StringBuilder json = new StringBuilder();
            Numbers.appendJson(json, value.text(), value.number());
            all.add(
                    new PointValue(
                            point,
                            json.toString(),
                            value.quality().word(),
                            present.at().map(Texts::iso).orElse(null)));
        }
        return all;
    }

    @Override
    public boolean exists(int channel) {
        return channels.exists(channel);
    }

    @Override
    public Optional<String> name(int channel) {
        return book.get(channel).map(ChannelConfiguration::name);
    }

    @Override
    public List<Integer> channelsOf(List<String> devices, List<String> areas) {
        List<Integer> found = new ArrayList<>();
        for (ChannelConfiguration each : book.all()) {
            boolean wanted =
                    devices.contains(Integer.toString(each.id()))
                            || devices.contains(each.name())
                            || isOf(each, List.of("device_id", "device"), devices)
                            || isOf(each, List.of("area_id", "area"), areas);
            if (wanted) {
                found.add(each.id());
            }
        }
        return found;
    }

    private static boolean isOf(
            ChannelConfiguration channel, List<String> members, Collection<String> wanted) {
        return !wanted.isEmpty()
                && members.stream()
                        .flatMap(member -> said(channel, member))
                        .anyMatch(wanted::contains);
    }

    /** A configuration may say it itself, or among the parameters. */
    private static Stream<String> said(ChannelConfiguration channel, String member) {
        return Stream.of(channel.document(), channel.document().path("parameters"))
                .map(each -> each.path(member))
                .filter(JsonNode::isValueNode)
                .map(each -> each.asString(""))
                .filter(text -> !text.isEmpty());
    }
}
