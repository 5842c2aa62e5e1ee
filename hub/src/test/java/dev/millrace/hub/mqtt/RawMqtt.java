package dev.millrace.hub.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One connection to a broker on which a test says what it likes. */
public final class RawMqtt implements AutoCloseable {
    public static final int CONNACK = 2;
    public static final int PUBLISH = 3;
    public static final int PUBACK = 4;
    public static final int SUBACK = 9;
    public static final int UNSUBACK = 11;
    public static final int PINGRESP = 13;
    public static final int DISCONNECT = 14;

    /** There is nothing more to read. */
    public static final int END = 0;

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    /** What was read while something else was waited for. */
    private final List<Packet> unread = new ArrayList<>();

    private RawMqtt(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** What came. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    public record Packet(int type, int flags, byte[] body) {

        /** Of a CONNACK: 0 if it is a welcome. */
        public int code() {
            return body[1] & 0xFF;
        }

        /** Of a CONNACK. */
        public boolean sessionPresent() {
            return (body[0] & 1) != 0;
        }

        /** Of a SUBACK or UNSUBACK: a code for each filter. */
        public List<Integer> codes(int version) {
            List<Integer> codes = new ArrayList<>();
            for (int i = version == Packets.V5 ? 3 + body[2] : 2; i < body.length; i++) {
                codes.add(body[i] & 0xFF);
            }
            return codes;
        }

        /** Of a DISCONNECT in version 5. */
        public int reason() {
            return body.length == 0 ? 0 : body[0] & 0xFF;
        }

        /** Of a PUBLISH. */
        public String topic() {
            return new String(body, 2, topicLength(), UTF_8);
        }

        private int topicLength() {
            return ((body[0] & 0xFF) << 8) | (body[1] & 0xFF);
        }

        private boolean hasId() {
            return (flags & 6) != 0;
        }

        /** Of a PUBLISH that wants to be acknowledged. */
        int id() {
            int at = 2 + topicLength();
            return ((body[at] & 0xFF) << 8) | (body[at + 1] & 0xFF);
        }

        /** Of a PUBLISH; its properties must be few. */
        public String payload(int version) {
            int at = 2 + topicLength() + (hasId() ? 2 : 0);
            int from = version == Packets.V5 ? at + 1 + body[at] : at;
            return new String(Arrays.copyOfRange(body, from, body.length), UTF_8);
        }
    }

    public static RawMqtt open(int port) {
        try {
            return new RawMqtt(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RawMqtt on(Socket socket) {
        try {
            return new RawMqtt(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says it; that nobody listens any more is seen by reading. */
    public RawMqtt send(byte[]... packets) {
        try {
            socket.getOutputStream().write(Packets.join(packets));
        } catch (SocketException e) {
            // It was closed meanwhile.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The next packet; one of type {@link #END} if there is none. */
    public Packet read() {
        return unread.isEmpty() ? fromSocket() : unread.removeFirst();
    }

    private Packet fromSocket() {
        try {
            int first = in.read();
            if (first < 0) {
                return new Packet(END, 0, new byte[0]);
            }
            int length = 0;
            int digit;
            int shift = 0;
            do {
                digit = in.readUnsignedByte();
                length |= (digit & 127) << shift;
                shift += 7;
            } while (digit >= 128);
            byte[] body = new byte[length];
            in.readFully(body);
            return new Packet(first >> 4, first & 15, body);
        } catch (SocketException e) {
            return new Packet(END, 0, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a packet of this type; others are kept for {@link #read}. */
    public Packet await(int type) {
        List<Packet> others = new ArrayList<>();
        Packet next = read();
        while (next.type != type && next.type != END) {
            others.add(next);
            next = read();
        }
        unread.addAll(0, others);
        if (next.type != type) {
            throw new AssertionError(
                    "The connection was closed before a packet of type %d came; before it: %s"
                            .formatted(type, others));
        }
        return next;
    }

    /** All that comes until the other side closes. */
    public List<Packet> untilClosed() {
        List<Packet> all = new ArrayList<>();
        for (Packet each = read(); each.type != END; each = read()) {
            all.add(each);
        }
        return all;
    }

    /** The payloads of as many messages, each acknowledged. */
    public List<String> messages(int version, int count) {
        List<String> payloads = new ArrayList<>();
        while (payloads.size() < count) {
            Packet each = await(PUBLISH);
            if (each.hasId()) {
                send(Packets.reply(0x40, each.id()));
            }
            payloads.add(each.payload(version));
        }
        return payloads;
    }

    /** Subscribes and says what came of each filter. */
    public List<Integer> subscribe(int version, String... filters) {
        send(Packets.subscribe(version, 7, filters));
        return await(SUBACK).codes(version);
    }

    /** Publishes with QoS 1 and waits until that is acknowledged. */
    public void publish(int version, String topic, String payload) {
        send(Packets.publish(version, topic, 9, payload));
        await(PUBACK);
    }

    /** All that had been said to us before is here when this is answered. */
    public void ping() {
        send(Packets.packet(0xC0));
        await(PINGRESP);
    }

    /** Takes leave as it should be, and waits until the other side has closed. */
    public void leave() {
        send(Packets.packet(0xE0));
        untilClosed();
        close();
    }

    /** Hangs up without a word. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hangs up so that the other side gets an error and not an end. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }
}
