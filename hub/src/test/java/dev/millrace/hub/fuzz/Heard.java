package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;

/**
 * An answer, read byte by byte as a client that trusts nobody would.
 *
 * @param head with the status line, ISO 8859-1
 * @param endless a stream of events or a WebSocket, whose body was not read
 * @param last whether the connection ends with it
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
record Heard(int status, String head, byte[] body, boolean endless, boolean last) {

    /** The next answer; empty if the connection was closed before it began. */
    static Optional<Heard> read(InputStream in, boolean bodiless) throws IOException {
        while (true) {
            Optional<String> head = head(in);
            if (head.isEmpty()) {
                return Optional.empty();
            }
            int status = status(head.get());
            if (status >= 200 || status == 101) {
                return Optional.of(rest(in, head.get(), status, bodiless));
            }
        }
    }

    private static Heard rest(InputStream in, String head, int status, boolean bodiless)
            throws IOException {
        Optional<String> length = header(head, "content-length");
        boolean chunked = header(head, "transfer-encoding").isPresent();
        boolean last =
                header(head, "connection").filter(each -> each.equals("close")).isPresent()
                        || head.startsWith("HTTP/1.0");
        boolean events =
                header(head, "content-type")
                        .filter(each -> each.startsWith("text/event-stream"))
                        .isPresent();
        if (status == 101 || (events && !bodiless)) {
            return new Heard(status, head, new byte[0], true, true);
        }
        if (bodiless || status == 204 || status == 304) {
            return new Heard(status, head, new byte[0], false, last);
        }
        if (chunked) {
            return new Heard(status, head, chunks(in), false, last);
        }
        if (length.isPresent()) {
            byte[] body = in.readNBytes(Integer.parseInt(length.get()));
            if (body.length < Integer.parseInt(length.get())) {
                throw new EOFException("The body is cut off.");
            }
            return new Heard(status, head, body, false, last);
        }
        return new Heard(status, head, in.readAllBytes(), false, true);
    }

    private static Optional<String> head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int ends = 0;
        while (ends < 4) {
            int next = in.read();
            if (next < 0) {
                if (head.size() == 0) {
                    return Optional.empty();
                }
                throw new EOFException("The head is cut off: " + head.toString(ISO_8859_1));
            }
            head.write(next);
            ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : next == '\r' ? 1 : 0;
        }
        return Optional.of(head.toString(ISO_8859_1));
    }

    private static int status(String head) throws IOException {
        if (!head.startsWith("HTTP/1.")) {
            throw new IOException("This is not an answer: " + head);
        }
        return Integer.parseInt(head.substring(9, 12));
    }

    private static Optional<String> header(String head, String name) {
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(line.substring(colon + 1).strip().toLowerCase(Locale.ROOT));
            }
        }
        return Optional.empty();
    }

    Optional<String> header(String name) {
        return header(head, name);
    }

    String text() {
        return new String(body, ISO_8859_1);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            String line = line(in);
            int size = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
            if (size == 0) {
                while (!line(in).isEmpty()) {
                    // Trailers say nothing to us.
                }
                return all.toByteArray();
            }
            byte[] chunk = in.readNBytes(size);
            if (chunk.length < size || !line(in).isEmpty()) {
                throw new EOFException("A chunk is cut off.");
            }
            all.writeBytes(chunk);
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("A line is cut off.");
            }
            if (next == '\n') {
                return line.toString(ISO_8859_1).stripTrailing();
            }
            line.write(next);
        }
    }
}
