package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Writes what packets of MQTT are made of, right or wrong as it is told. */
final class MqttBytes {
    static final int CONNECT = 1;
    static final int PUBLISH = 3;
    static final int PUBREL = 6;
    static final int SUBSCRIBE = 8;
    static final int UNSUBSCRIBE = 10;
    static final int PINGREQ = 12;
    static final int PINGRESP = 13;
    static final int DISCONNECT = 14;
    static final int AUTH = 15;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    MqttBytes one(int value) {
        out.write(value);
        return this;
    }

    MqttBytes two(int value) {
        return one(value >>> 8).one(value);
    }

    MqttBytes four(int value) {
        return two(value >>> 16).two(value);
    }

    /** A length of one to four bytes; more than fits makes five, which is wrong. */
    MqttBytes length(long value) {
        long left = value;
        do {
            one((int) (left & 0x7F) | (left > 0x7F ? 0x80 : 0));
            left >>>= 7;
        } while (left > 0);
        return this;
    }

    MqttBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** Bytes with their length before them. */
    MqttBytes data(byte[] bytes) {
        return two(bytes.length).raw(bytes);
    }

    MqttBytes text(String text) {
        return data(text.getBytes(UTF_8));
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    static byte[] packet(int type, int flags, byte[] body) {
        return new MqttBytes().one(type << 4 | flags).length(body.length).raw(body).bytes();
    }

    static byte[] ping() {
        return packet(PINGREQ, 0, new byte[0]);
    }

    /** An honest one: MQTT 3.1.1, no session, with a token if there is one. */
    static byte[] connect(String clientId, String token) {
        MqttBytes body = new MqttBytes().text("MQTT").one(4);
        body.one(token.isEmpty() ? 0x02 : 0xC2).two(60).text(clientId);
        if (!token.isEmpty()) {
            body.text("fuzz").text(token);
        }
        return packet(CONNECT, 0, body.bytes());
    }

    /** An honest one, to be acknowledged. */
    static byte[] publish(String topic, int id, String payload) {
        return packet(
                PUBLISH,
                2,
                new MqttBytes().text(topic).two(id).raw(payload.getBytes(UTF_8)).bytes());
    }
}
