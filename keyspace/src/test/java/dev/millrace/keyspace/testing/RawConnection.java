package dev.millrace.keyspace.testing;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection that speaks RESP2 and knows nothing of our engine, so that a test can look at
 * Redis with other eyes. Status and bulk replies become {@code String} (or {@code byte[]}),
 * integers {@code Long}, arrays {@code List}, nil {@code null}; an error is thrown as {@link
 * CommandError}, or is an element where it stands inside an array. For one thread at a time.
 */
public final class RawConnection implements AutoCloseable {

    /** Generous: it only keeps a broken test from hanging for ever. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    public static RawConnection open(int port) {
        Socket socket = new Socket();
        try {
            socket.connect(
                    new InetSocketAddress(InetAddress.ofLiteral(TestServer.HOST), port),
                    (int) TIMEOUT.toMillis());
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.setTcpNoDelay(true);
            return new RawConnection(socket);
        } catch (IOException e) {
            closeQuietly(socket);
            throw new UncheckedIOException(e);
        }
    }

    public @Nullable Object command(String... words) {
        send(words);
        return read();
    }

    /** Like {@link #command}, with bytes in and, for bulk replies, bytes out. */
    public @Nullable Object commandBytes(byte[]... words) {
        sendBytes(words);
        return readBytes();
    }

    /** Sends a command and does not wait for its reply. */
    public void send(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        sendBytes(bytes);
    }

    public void sendBytes(byte[]... words) {
        try {
            writeLine("*" + words.length);
            for (byte[] word : words) {
                writeLine("$" + word.length);
                out.write(word);
                writeLine("");
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next reply, or message of a subscription. */
    public @Nullable Object read() {
        return read(true);
    }

    public @Nullable Object readBytes() {
        return read(false);
    }

    private @Nullable Object read(boolean asText) {
        try {
            Object reply = decode(asText);
            if (reply instanceof CommandError error) {
                // Thrown from here, so that the stack shows the test.
                throw new CommandError(String.valueOf(error.getMessage()));
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable Object decode(boolean asText) throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new CommandError(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest), asText);
            case '*' -> array(Integer.parseInt(rest), asText);
            default -> throw new IOException("This is not RESP2: " + line);
        };
    }

    private @Nullable Object bulk(int length, boolean asText) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.read() != '\r' || in.read() != '\n') {
            throw new EOFException("The connection ended within a reply.");
        }
        return asText ? new String(bytes, StandardCharsets.UTF_8) : bytes;
    }

    private @Nullable Object array(int length, boolean asText) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> elements = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            elements.add(decode(asText));
        }
        return elements;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The server closed the connection.");
            }
            line.append((char) c);
        }
        if (in.read() != '\n' || line.isEmpty()) {
            throw new IOException("This is not RESP2: " + line);
        }
        return line.toString();
    }

    private void writeLine(String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing to save on a connection of a test.
        }
    }
}
