package dev.millrace.hub.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/** A WebSocket byte by byte: what no well-behaved client would send, and when. */
public final class RawTalk {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int MASKED = 0x80;
    private static final int SHORT = 126;

    /** Only a hang ever reaches it. */
    private static final int CAP_MILLIS = 60_000;

    private RawTalk() {}

    /** A request for a WebSocket, with further lines of headers, each with its end. */
    public static byte[] handshake(String path, String... headers) {
        return ("GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                .formatted(path)
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        + "Sec-WebSocket-Version: 13\r\n"
                        + String.join("", headers)
                        + "\r\n")
                .getBytes(ISO_8859_1);
    }

    public static byte[] text(String text) {
        return frame(TEXT, text.getBytes(UTF_8));
    }

    public static byte[] binary(byte... bytes) {
        return frame(BINARY, bytes);
    }

    /** The frame that closes, with the code for "done". */
    public static byte[] close() {
        return frame(CLOSE, new byte[] {0x03, (byte) 0xE8});
    }

    /** A frame as only servers may send it, which a server must not take. */
    public static byte[] unmasked() {
        return new byte[] {(byte) TEXT, 2, '{', '}'};
    }

    /** Masked with zeros, so that it can be read. */
    private static byte[] frame(int kind, byte[] body) {
        if (body.length >= SHORT) {
            throw new IllegalArgumentException("Only short frames are needed here.");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(kind);
        out.write(MASKED | body.length);
        out.writeBytes(new byte[4]);
        out.writeBytes(body);
        return out.toByteArray();
    }

    public static byte[] together(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    public static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(CAP_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Sends all of it at once and leaves: with an end, or with a reset. */
    public static void sendAndLeave(int port, byte[] bytes, boolean reset) throws IOException {
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(bytes);
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        }
    }
}
