package dev.millrace.hub.pubsub.channels;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/**
 * What a client sends back to say that all messages up to a clock have arrived. Bit for bit as
 * other servers write it, so that a handle of one is good at the others. Its checksum guards
 * against mistakes, such as a handle of another subscriber, and not against forgery.
 */
public final class AckHandle {
    private static final byte[] SALT = "dsps.storage.redis".getBytes(US_ASCII);

    private AckHandle() {}

    public static String of(String storage, String channel, String subscriber, long clock) {
        // The inner text stands as a string in the outer one, so its quotes are escaped.
        String outer =
                "{\"%s\":\"{\\\"clk\\\":%d,\\\"xs\\\":\\\"%s\\\"}\"}"
                        .formatted(storage, clock, checksum(channel, subscriber, clock));
        return Base64.getEncoder().encodeToString(outer.getBytes(US_ASCII));
    }

    private static String checksum(String channel, String subscriber, long clock) {
        CRC32 crc = new CRC32();
        crc.update(SALT);
        crc.update(0);
        crc.update(channel.getBytes(US_ASCII));
        crc.update(0);
        crc.update(subscriber.getBytes(US_ASCII));
        crc.update(0);
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(clock).array());
        byte[] sum = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
        return Base64.getEncoder().withoutPadding().encodeToString(sum);
    }

    /**
     * The clock in a handle; nothing if it is only about storages that are not here.
     *
     * @throws RefusedException if it is not a handle of this subscriber
     */
    public static OptionalLong clock(
            String handle, String storage, String channel, String subscriber) {
        try {
            JsonNode outer = Json.MAPPER.readTree(Base64.getDecoder().decode(handle));
            if (!outer.isObject() || outer.isEmpty()) {
                throw malformed();
            }
            for (Map.Entry<String, JsonNode> entry : outer.properties()) {
                if (!entry.getValue().isString()) {
                    throw malformed();
                }
            }
            JsonNode inner = outer.get(storage);
            if (inner == null) {
                return OptionalLong.empty();
            }
            JsonNode parts = Json.MAPPER.readTree(inner.stringValue().getBytes(UTF_8));
            JsonNode clock = parts.get("clk");
            JsonNode sum = parts.get("xs");
            if (clock == null
                    || !clock.isIntegralNumber()
                    || !clock.canConvertToLong()
                    || sum == null
                    || !sum.isString()
                    || !checksum(channel, subscriber, clock.longValue())
                            .equals(sum.stringValue())) {
                throw malformed();
            }
            return OptionalLong.of(clock.longValue());
        } catch (IllegalArgumentException | JacksonException e) {
            throw malformed();
        }
    }

    private static RefusedException malformed() {
        return new Refused.MalformedHandle().exception();
    }
}
