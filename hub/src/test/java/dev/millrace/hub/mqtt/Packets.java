package dev.millrace.hub.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Packets of MQTT 3.1.1 and 5, made by hand: also such as a library would refuse to make. A version
 * is 4 or 5, as it stands in a CONNECT; what the older one does not have is left out of it.
 */
public final class Packets {
    public static final int V3 = 4;
    public static final int V5 = 5;

    // Properties of MQTT 5.
    public static final int PAYLOAD_FORMAT = 0x01;
    public static final int MESSAGE_EXPIRY = 0x02;
    public static final int CONTENT_TYPE = 0x03;
    public static final int RESPONSE_TOPIC = 0x08;
    public static final int SUBSCRIPTION_ID = 0x0B;
    public static final int SESSION_EXPIRY = 0x11;
    public static final int AUTHENTICATION_METHOD = 0x15;
    public static final int WILL_DELAY = 0x18;
    public static final int TOPIC_ALIAS = 0x23;
    public static final int USER_PROPERTY = 0x26;

    private static final int CLEAN = 0x02;
    private static final int WILL = 0x04;

    private Packets() {}

    /** What a client leaves behind for the case that it gets lost. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    public record Will(String topic, int qos, boolean retain, byte[] properties) {}

    /** A CONNECT in the making. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    public record Connect(
            int version,
            String id,
            boolean clean,
            String user,
            Optional<String> token,
            byte[] properties,
            Optional<Will> will) {

        public static Connect of(int version, String id) {
            return new Connect(
                    version, id, true, "anybody", Optional.empty(), new byte[0], Optional.empty());
        }

        public Connect as(String tokenText) {
            return as("anybody", tokenText);
        }

        Connect as(String name, String password) {
            return new Connect(version, id, clean, name, Optional.of(password), properties, will);
        }

        /** With a session that stays for so long, unless the broker knows better. */
        public Connect staying(int seconds) {
            return new Connect(
                    version, id, false, user, token, number(SESSION_EXPIRY, seconds, 4), will);
        }

        /** Gives up the session that may be there. */
        public Connect afresh() {
            return new Connect(version, id, true, user, token, properties, will);
        }

        public Connect with(byte[] some) {
            return new Connect(version, id, clean, user, token, some, will);
        }

        public Connect leaving(Will last) {
            return new Connect(version, id, clean, user, token, properties, Optional.of(last));
        }

        public byte[] packet() {
            int flags = (clean ? CLEAN : 0) | (token.isPresent() ? 0xC0 : 0);
            if (will.isPresent()) {
                flags |= WILL | (will.get().qos << 3) | (will.get().retain() ? 0x20 : 0);
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            put(body, text("MQTT"), new byte[] {(byte) version, (byte) flags, 0, 0});
            put(body, block(version, properties), text(id));
            will.ifPresent(
                    last ->
                            put(
                                    body,
                                    block(version, last.properties()),
                                    text(last.topic()),
                                    text("gone")));
            token.ifPresent(password -> put(body, text(user), text(password)));
            return Packets.packet(0x10, body.toByteArray());
        }
    }

    /** A PUBLISH; the packet id is left out with QoS 0. */
    public static byte[] publish(
            int version, String topic, int qos, int packetId, byte[] properties, String payload) {
        return publish(version, topic, qos, packetId, properties, payload.getBytes(UTF_8));
    }

    public static byte[] publish(
            int version, String topic, int qos, int packetId, byte[] properties, byte[] payload) {
        return packet(
                0x30 | (qos << 1),
                join(
                        text(topic),
                        qos == 0 ? new byte[0] : two(packetId),
                        block(version, properties),
                        payload));
    }

    public static byte[] publish(int version, String topic, int packetId, String payload) {
        return publish(version, topic, 1, packetId, new byte[0], payload);
    }

    /** A SUBSCRIBE with QoS 1 for each filter. */
    public static byte[] subscribe(int version, int packetId, String... filters) {
        byte[] body = join(two(packetId), block(version, new byte[0]));
        for (String filter : filters) {
            body = join(body, text(filter), new byte[] {1});
        }
        return packet(0x82, body);
    }

    public static byte[] unsubscribe(int version, int packetId, String... filters) {
        byte[] body = join(two(packetId), block(version, new byte[0]));
        for (String filter : filters) {
            body = join(body, text(filter));
        }
        return packet(0xA2, body);
    }

    /** PUBACK, PUBREC, PUBREL, PUBCOMP, by their first byte. */
    public static byte[] reply(int first, int packetId) {
        return packet(first, two(packetId));
    }

    public static byte[] disconnect(int version, byte[] properties) {
        return version == V5 && properties.length > 0
                ? packet(0xE0, join(new byte[] {0}, block(version, properties)))
                : packet(0xE0);
    }

    /** Anything, with its right length. */
    public static byte[] packet(int first, byte... body) {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(first);
        length(packet, body.length);
        packet.writeBytes(body);
        return packet.toByteArray();
    }

    // Properties.

    public static byte[] property(int id, String value) {
        return join(new byte[] {(byte) id}, text(value));
    }

    public static byte[] pair(String key, String value) {
        return join(new byte[] {USER_PROPERTY}, text(key), text(value));
    }

    /** A number in this many bytes. */
    public static byte[] number(int id, long value, int bytes) {
        byte[] property = new byte[1 + bytes];
        property[0] = (byte) id;
        for (int i = 0; i < bytes; i++) {
            property[bytes - i] = (byte) (value >>> (8 * i));
        }
        return property;
    }

    /** A string, with its length before it. */
    static byte[] text(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return join(two(bytes.length), bytes);
    }

    static byte[] two(int number) {
        return new byte[] {(byte) (number >>> 8), (byte) number};
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        put(all, parts);
        return all.toByteArray();
    }

    private static void put(ByteArrayOutputStream to, byte[]... parts) {
        List.of(parts).forEach(to::writeBytes);
    }

    /** Properties with their length before them, where there are properties. */
    static byte[] block(int version, byte[] properties) {
        if (version != V5) {
            return new byte[0];
        }
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        length(block, properties.length);
        block.writeBytes(properties);
        return block.toByteArray();
    }

    private static void length(ByteArrayOutputStream to, int length) {
        int rest = length;
        do {
            int digit = rest % 128;
            rest /= 128;
            to.write(rest > 0 ? digit | 128 : digit);
        } while (rest > 0);
    }
}
