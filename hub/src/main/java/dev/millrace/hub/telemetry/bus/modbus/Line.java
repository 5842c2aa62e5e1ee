package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.MbapHeader;
import com.digitalpetri.modbus.ModbusPduSerializer.DefaultRequestSerializer;
import com.digitalpetri.modbus.ModbusPduSerializer.DefaultResponseSerializer;
import com.digitalpetri.modbus.pdu.ModbusPdu;
import com.digitalpetri.modbus.pdu.ModbusRequestPdu;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One connection to a device, or to a gateway with several behind it: a question, then its answer.
 * An answer that comes after its time belongs to a question that nobody waits for any more, and is
 * left out; a message that cannot be one, or that stops in the middle, ends the connection, because
 * nobody can tell where the next one begins. For one thread at a time; any may close it.
 */
final class Line implements AutoCloseable {
    private static final int HEADER = 7;
    private static final int UNIT = 1;
    private static final int LARGEST_PDU = 253;
    private static final int ERROR = 0x80;
    private static final int LATE_ANSWERS = 16;

    private final Socket socket;
    private int transaction;

    private Line(Socket socket) {
        this.socket = socket;
    }

    static Line open(InetSocketAddress address, Duration within) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, (int) within.toMillis());
            return new Line(socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    boolean isOpen() {
        return !socket.isClosed();
    }

    /** Asks, and waits for the answer at most so long. */
    Reply ask(int unit, ModbusRequestPdu request, Duration atMost) {
        transaction = transaction + 1 & 0xFFFF;
        byte[] message;
        try {
            message = message(unit, request);
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
        try {
            socket.getOutputStream().write(message);
        } catch (IOException e) {
            close();
            return new Reply.Broken("The device does not take what is sent: " + said(e), true);
        }
        long until = System.nanoTime() + atMost.toNanos();
        try {
            return answer(unit, request.getFunctionCode(), until);
        } catch (SocketTimeoutException e) {
            return new Reply.Silence();
        } catch (HalfException e) {
            close();
            return new Reply.Broken("The device stopped in the middle of an answer.", true);
        } catch (GarbageException e) {
            close();
            return new Reply.Broken("The device answers garbage: " + e.getMessage(), true);
        } catch (IOException e) {
            close();
            return new Reply.Broken("The device has closed the connection: " + said(e), true);
        }
    }

    private static String said(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private byte[] message(int unit, ModbusRequestPdu request) throws Exception {
        ByteBuffer pdu = ByteBuffer.allocate(LARGEST_PDU);
        DefaultRequestSerializer.INSTANCE.encode(request, pdu);
        pdu.flip();
        ByteBuffer message = ByteBuffer.allocate(HEADER + pdu.remaining());
        MbapHeader.Serializer.encode(
                new MbapHeader(transaction, 0, UNIT + pdu.remaining(), unit), message);
        message.put(pdu);
        return message.array();
    }

    private Reply answer(int unit, int function, long until) throws IOException {
        for (int i = 0; i < LATE_ANSWERS; i++) {
            byte[] first = read(HEADER, until, true);
            MbapHeader header = MbapHeader.Serializer.decode(ByteBuffer.wrap(first));
            int length = header.length() - UNIT;
            if (header.protocolId() != 0) {
                throw new GarbageException("its protocol is " + header.protocolId());
            }
            if (length < 2 || length > LARGEST_PDU) {
                throw new GarbageException("its length is " + header.length());
            }
            byte[] pdu = read(length, until, false);
            if (header.transactionId() == transaction) {
                return reply(unit, function, header, ByteBuffer.wrap(pdu));
            }
        }
        throw new GarbageException("it answers what nobody has asked");
    }

    private static Reply reply(int unit, int function, MbapHeader header, ByteBuffer pdu)
            throws GarbageException {
        int said = pdu.get(0) & 0xFF;
        if (header.unitId() != unit) {
            throw new GarbageException(
                    "unit %d answers for unit %d".formatted(header.unitId(), unit));
        }
        if (said == (function | ERROR)) {
            return new Reply.No(pdu.get(1) & 0xFF);
        }
        if (said != function) {
            throw new GarbageException("function %d is answered with %d".formatted(function, said));
        }
        try {
            ModbusPdu answer = DefaultResponseSerializer.INSTANCE.decode(function, pdu);
            if (pdu.hasRemaining()) {
                throw new GarbageException("there is more than its count says");
            }
            return new Reply.Answer(answer);
        } catch (BufferUnderflowException e) {
            throw new GarbageException("there is less than its count says");
        } catch (com.digitalpetri.modbus.exceptions.ModbusException e) {
            throw new GarbageException(String.valueOf(e.getMessage()));
        }
    }

    private byte[] read(int count, long until, boolean beginning) throws IOException {
        byte[] bytes = new byte[count];
        int have = 0;
        InputStream in = socket.getInputStream();
        while (have < count) {
            long left = until - System.nanoTime();
            boolean nothing = beginning && have == 0;
            int more = -1;
            try {
                if (left <= 0) {
                    throw new SocketTimeoutException();
                }
                socket.setSoTimeout((int) Math.max(1, Duration.ofNanos(left).toMillis()));
                more = in.read(bytes, have, count - have);
            } catch (SocketTimeoutException e) {
                if (nothing) {
                    throw e;
                }
                throw new HalfException();
            }
            if (more < 0) {
                if (nothing) {
                    throw new IOException("end of stream");
                }
                throw new HalfException();
            }
            have += more;
        }
        return bytes;
    }

    /** What came is not a message. */
    private static final class GarbageException extends IOException {
        private static final long serialVersionUID = 1;

        GarbageException(String why) {
            super(why);
        }
    }

    /** A message has begun, and does not end. */
    private static final class HalfException extends IOException {
        private static final long serialVersionUID = 1;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is not used any more, whatever that means to the other side.
        }
    }
}
