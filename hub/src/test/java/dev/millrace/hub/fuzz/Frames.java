package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/** Handshakes and frames of WebSocket, right and wrong. */
final class Frames {
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;

    /** Of a message channel whose subscriber there is. */
    static final String CHANNEL = "/channel/wc/subscription/ws/wu";

    static final List<String> PATHS = List.of("/live/ws", "/live/ws", "/eventbus", CHANNEL);

    private Frames() {}

    static byte[] handshake(Target target, String path, String token, List<String> more) {
        return ("GET "
                        + path
                        + " HTTP/1.1\r\nHost: 127.0.0.1:"
                        + target.http.getPort()
                        + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        + (path.equals("/eventbus") ? "Sec-WebSocket-Protocol: mqtt\r\n" : "")
                        + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                        + String.join("", more.stream().map(each -> each + "\r\n").toList())
                        + "\r\n")
                .getBytes(ISO_8859_1);
    }

    /** A frame as a client sends it. */
    static byte[] frame(int opcode, byte[] payload) {
        return frame(0x80 | opcode, true, payload, payload.length);
    }

    static byte[] close() {
        return frame(CLOSE, new byte[] {3, (byte) 0xE8});
    }

    /** With any first byte, with or without a mask, with a length that may be a lie. */
    static byte[] frame(int first, boolean masked, byte[] payload, long length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        int mask = masked ? 0x80 : 0;
        if (length < 126) {
            out.write(mask | (int) length);
        } else if (length < 65_536) {
            out.write(mask | 126);
            out.writeBytes(new MqttBytes().two((int) length).bytes());
        } else {
            out.write(mask | 127);
            out.writeBytes(new MqttBytes().four((int) (length >>> 32)).four((int) length).bytes());
        }
        byte[] key = {1, 2, 3, 4};
        byte[] hidden = payload.clone();
        if (masked) {
            out.writeBytes(key);
            for (int i = 0; i < hidden.length; i++) {
                hidden[i] ^= key[i % 4];
            }
        }
        out.writeBytes(hidden);
        return out.toByteArray();
    }

    /** What a client of this path might say. */
    static byte[] said(String path, Target target, Dice dice) {
        return switch (path) {
            case "/eventbus" -> {
                MqttShots shots = new MqttShots(target, dice);
                yield dice.percent(50) ? shots.connect().bytes() : shots.next().bytes();
            }
            case CHANNEL -> new JsonMutants(dice).of("{\"ack\":\"redis1.1.x\"}");
            default ->
                    new JsonMutants(dice)
                            .of(
                                    dice.of(
                                            "{\"subscribe\":[\"events\"],\"after\":\"0-0\"}",
                                            "{\"subscribe\":[\"events\",\"documents\"]}",
                                            "{\"unsubscribe\":[\"events\"]}",
                                            "{\"token\":\"mr_x\"}"));
        };
    }

    /**
     * One frame, or several that belong together.
     *
     * @param intact whether a frame behind it can be told from it, and the talk may go on
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    record Shot(byte[] bytes, boolean intact) {}

    static Shot next(String path, Target target, Dice dice) {
        byte[] said = said(path, target, dice);
        int opcode = path.equals("/eventbus") ? BINARY : TEXT;
        return switch (dice.below(20)) {
            case 0 -> new Shot(frame(0x80 | opcode, false, said, said.length), false);
            case 1 ->
                    new Shot(
                            frame(0x80 | dice.of(3, 4, 7, 11, 15), true, said, said.length), false);
            case 2 ->
                    new Shot(
                            frame(dice.of(0xC0, 0xA0, 0x90) | opcode, true, said, said.length),
                            false);
            case 3 -> new Shot(frame(0x80, true, said, said.length), false);
            case 4 -> new Shot(frame(0x89, true, new byte[126], 126), false);
            case 5 ->
                    new Shot(
                            frame(TEXT, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}), false);
            case 6 ->
                    new Shot(
                            frame(
                                    0x80 | opcode,
                                    true,
                                    said,
                                    dice.of(70_000L, Long.MAX_VALUE, -1L, 1L << 33)),
                            false);
            case 7 -> new Shot(dice.flipped(frame(opcode, said)), false);
            case 8 ->
                    new Shot(
                            frame(
                                    CLOSE,
                                    dice.of(
                                            new byte[] {3},
                                            new byte[] {0, 0},
                                            new byte[] {3, (byte) 0xED},
                                            new byte[] {3, (byte) 0xE8, (byte) 0xFF},
                                            new byte[0])),
                            false);
            case 9 ->
                    new Shot(
                            frame(dice.of(9, 10), Arrays.copyOf(said, Math.min(125, said.length))),
                            true);
            case 10, 11 -> {
                // In pieces, with a question between them.
                int half = said.length / 2;
                yield new Shot(
                        new MqttBytes()
                                .raw(frame(opcode, true, Arrays.copyOf(said, half), half))
                                .raw(frame(9, "still there?".getBytes(UTF_8)))
                                .raw(
                                        frame(
                                                0x80,
                                                true,
                                                Arrays.copyOfRange(said, half, said.length),
                                                said.length - half))
                                .bytes(),
                        true);
            }
            case 12 -> new Shot(frame(opcode == TEXT ? BINARY : TEXT, said), false);
            case 13 -> new Shot(close(), true);
            default -> new Shot(frame(opcode, said), true);
        };
    }
}
