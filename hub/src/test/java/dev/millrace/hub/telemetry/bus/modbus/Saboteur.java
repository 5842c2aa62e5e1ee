package dev.millrace.hub.telemetry.bus.modbus;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A device that does not keep to the protocol. It has one register everywhere, 7, and answers each
 * request as it was told to.
 */
public final class Saboteur implements AutoCloseable {
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Integer> functions = new CopyOnWriteArrayList<>();
    private volatile Manner manner = Manner.RIGHT;

    /** How it answers. */
    public enum Manner {
        RIGHT,
        SILENT,
        /** Half a frame, and then nothing. */
        HALF,
        /** Half a header, and the end of the connection. */
        HALF_HEADER,
        /** Bytes that are not a frame. */
        NOISE,
        /** A length that no frame has. */
        LONG,
        /** For another unit. */
        OTHER_UNIT,
        /** Another function. */
        OTHER_FUNCTION,
        /** Fewer registers than were asked for. */
        FEWER,
        /** A count that the bytes do not keep. */
        LIES,
        /** The answer to another question, and nothing else. */
        OTHER_QUESTION,
        /** Two that are too late, and then the right one. */
        LATE_ONES_FIRST,
        BUSY,
        FAILURE,
        GATEWAY,
        ACKNOWLEDGE,
        UNKNOWN_EXCEPTION,
        HANGS_UP
    }

    private Saboteur() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public static Saboteur start() {
        try {
            return new Saboteur();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public void from(Manner next) {
        manner = next;
    }

    /** Of every request that has come, in the order of coming. */
    public List<Integer> functions() {
        return functions;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int transaction = in.readUnsignedShort();
                in.readUnsignedShort();
                byte[] body = new byte[in.readUnsignedShort()];
                in.readFully(body);
                functions.add((int) body[1]);
                String answer = answer(transaction, body);
                if (answer.equals("hang up")) {
                    return;
                }
                socket.getOutputStream().write(HexFormat.of().parseHex(answer));
                if (manner == Manner.HALF_HEADER) {
                    return;
                }
            }
        } catch (IOException e) {
            // The hub has hung up, as it should with such a device.
        } finally {
            sockets.remove(socket);
        }
    }

    private String answer(int transaction, byte[] body) {
        int unit = body[0];
        int function = body[1];
        boolean reads = function <= 4;
        int count = reads ? (body[4] & 0xFF) << 8 | body[5] & 0xFF : 0;
        String right =
                reads
                        ? frame(
                                transaction,
                                unit,
                                "%02X%02X".formatted(function, 2 * count) + "0007".repeat(count))
                        : frame(
                                transaction,
                                unit,
                                HexFormat.of().formatHex(body, 1, Math.min(6, body.length)));
        return switch (manner) {
            case RIGHT -> right;
            case SILENT -> "";
            case HALF -> right.substring(0, right.length() / 2 / 2 * 2);
            case HALF_HEADER -> right.substring(0, 6);
            case NOISE -> "DEADBEEFDEADBEEFDEADBEEF";
            case LONG -> "%04X0000FFFF%02X".formatted(transaction, unit);
            case OTHER_UNIT -> frame(transaction, unit + 1, "03020007");
            case OTHER_FUNCTION -> frame(transaction, unit, "1605");
            case FEWER -> frame(transaction, unit, "%02X00".formatted(function));
            case LIES -> frame(transaction, unit, "%02XF00007".formatted(function));
            case OTHER_QUESTION -> frame(transaction - 1, unit, "03020007");
            case LATE_ONES_FIRST ->
                    frame(transaction - 2, unit, "03020008")
                            + frame(transaction - 1, unit, "8302")
                            + right;
            case BUSY -> exception(transaction, unit, function, 6);
            case FAILURE -> exception(transaction, unit, function, 4);
            case GATEWAY -> exception(transaction, unit, function, 11);
            case ACKNOWLEDGE -> exception(transaction, unit, function, 5);
            case UNKNOWN_EXCEPTION -> exception(transaction, unit, function, 99);
            case HANGS_UP -> "hang up";
        };
    }

    private static String exception(int transaction, int unit, int function, int number) {
        return frame(transaction, unit, "%02X%02X".formatted(function | 0x80, number));
    }

    private static String frame(int transaction, int unit, String pdu) {
        return "%04X0000%04X%02X".formatted(transaction & 0xFFFF, pdu.length() / 2 + 1, unit & 0xFF)
                + pdu;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket each : sockets) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
