package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The document, whole; which channel it is about is said by its key. */
public final class ChannelCodec implements Codec.Text<ChannelConfiguration> {
    @Override
    public byte[] encode(ChannelConfiguration channel, byte @Nullable [] before) {
        return Json.write(channel.document());
    }

    @Override
    public ChannelConfiguration decode(byte[] value) {
        throw new UnsupportedOperationException("A channel is known by its key.");
    }

    @Override
    public ChannelConfiguration decode(String key, byte[] value) {
        JsonNode node = Json.MAPPER.readTree(value);
        int id = PointIds.channel(key.substring(key.lastIndexOf(':') + 1));
        if (id == 0 || !(node instanceof ObjectNode object)) {
            throw new IllegalArgumentException("it is not a JSON object of a channel");
        }
        return new ChannelConfiguration(id, object);
    }
}
