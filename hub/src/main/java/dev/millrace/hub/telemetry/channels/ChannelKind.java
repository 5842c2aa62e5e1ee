package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.pattern.KeyPattern;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The configurations of channels among all others: exported, put in and taken back with them. */
public record ChannelKind(Channels channels, ChannelBook book) implements ConfigurationKind {
    @Override
    public String word() {
        return "channels";
    }

    @Override
    public KeyPattern pattern() {
        return TelemetryLayouts.CHANNELS.pattern();
    }

    @Override
    public List<String> ids() {
        return book.all().stream().map(each -> Integer.toString(each.id())).toList();
    }

    @Override
    public Optional<ObjectNode> get(String id) {
        int channel = PointIds.channel(id);
        return channel == 0
                ? Optional.empty()
                : channels.get(channel).map(ChannelConfiguration::document);
    }

    @Override
    public Optional<Refused> mistake(String id, ObjectNode document) {
        int channel = PointIds.channel(id);
        if (channel == 0) {
            return Optional.of(unknown());
        }
        ObjectNode whole = document.deepCopy();
        whole.put("id", channel);
        return ChannelRules.mistake(
                new ChannelConfiguration(channel, whole),
                book.all().stream().filter(each -> each.id() != channel).toList(),
                channels.spoken());
    }

    private static Refused unknown() {
        return Refused.of(
                EmsCode.VALIDATION_ERROR,
                "A channel has a number from 1 to %d.".formatted(PointIds.LARGEST_CHANNEL));
    }

    @Override
    public Saved put(String id, ObjectNode document, OptionalLong expected, String user) {
        int channel = PointIds.channel(id);
        if (channel == 0) {
            return new Saved.Not(unknown());
        }
        if (channels.get(channel).isEmpty() && expected.orElse(0) == 0) {
            Channels.Changed created = channels.create(channel, document, user);
            if (!(created instanceof Channels.Changed.Not(Refused why)
                    && why.code() == EmsCode.ALREADY_EXISTS)) {
                return saved(created, true);
            }
        }
        return saved(
                channels.change(channel, expected, user, old -> new Channels.Change.To(document)),
                false);
    }

    private static Saved saved(Channels.Changed changed, boolean created) {
        return switch (changed) {
            case Channels.Changed.Done(ChannelConfiguration channel) ->
                    new Saved.Done(channel.document(), created);
            case Channels.Changed.Not(Refused why) -> new Saved.Not(why);
        };
    }

    @Override
    public Saved delete(String id, boolean force, String user) {
        int channel = PointIds.channel(id);
        return channel == 0
                ? new Saved.Not(unknown())
                : saved(channels.delete(channel, force, user), false);
    }
}
