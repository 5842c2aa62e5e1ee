package dev.millrace.hub.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * One connection of the rehearsal, which stays open as a client's does. Written by hand: an HTTP
 * client would put its own classes into the cache that the rehearsal is for.
 */
final class RehearsalLine implements Closeable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final URI hub;
    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    /** What came back. */
    record Answer(int status, String body) {
        boolean good() {
            return status >= 200 && status < 300;
        }
    }

    RehearsalLine(URI hub) throws IOException {
        this.hub = hub;
        try {
            socket.connect(new InetSocketAddress(hub.getHost(), hub.getPort()), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    Answer ask(String method, String path, String body) throws IOException {
        byte[] content = body.getBytes(UTF_8);
        String head =
                "%s %s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\nContent-Type: application/json\r\n"
                        .formatted(method, path, hub.getAuthority());
        String length =
                content.length == 0 ? "" : "Content-Length: %d\r\n".formatted(content.length);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((head + length + "\r\n").getBytes(ISO_8859_1));
        request.writeBytes(content);
        out.write(request.toByteArray());
        out.flush();
        return answer();
    }

    private Answer answer() throws IOException {
        String[] first = line().split(" ", 3);
        long length = 0;
        boolean pieces = false;
        for (String each = line(); !each.isEmpty(); each = line()) {
            String header = each.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Long.parseLong(header.substring(15).strip());
            } else if (header.startsWith("transfer-encoding:")) {
                pieces = true;
            }
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (pieces) {
            for (int size = size(); size > 0; size = size()) {
                body.writeBytes(in.readNBytes(size));
                line();
            }
            line();
        } else {
            body.writeBytes(in.readNBytes(Math.toIntExact(length)));
        }
        return new Answer(Integer.parseInt(first[1]), body.toString(UTF_8));
    }

    private int size() throws IOException {
        return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
