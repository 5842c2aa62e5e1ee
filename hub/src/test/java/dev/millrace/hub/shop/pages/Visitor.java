package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client of the proxy that says exactly what it is told to. */
final class Visitor {
    static final String HOST = "shop.example";

    private final int port;

    Visitor(String url) {
        this.port = URI.create(url).getPort();
    }

    /**
     * An answer.
     *
     * @param whole whether its body came to its end
     */
    record Reply(int status, List<String> headers, byte[] body, boolean whole) {
        String header(String name) {
            return headers.stream()
                    .filter(
                            each ->
                                    each.toLowerCase(Locale.ROOT)
                                            .startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(each -> each.substring(name.length() + 1).strip())
                    .reduce((one, other) -> one + " | " + other)
                    .orElse("");
        }

        String text() {
            return new String(body, ISO_8859_1);
        }

        long age() {
            return Long.parseLong(header("Age"));
        }

        /** How the cache says it was answered. */
        String cache() {
            return header("Cache-Status");
        }

        boolean hit() {
            return cache().contains("pagecache; hit");
        }
    }

    Reply get(String target, String... headers) {
        return send("GET", target, "", headers);
    }

    Reply send(String method, String target, String body, String... headers) {
        StringBuilder head =
                new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + HOST + "\r\n");
        for (String each : headers) {
            head.append(each).append("\r\n");
        }
        if (!body.isEmpty()) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n").append(body);
        return raw(head.toString(), method.equals("HEAD"));
    }

    /** Sends this text, and reads one answer. */
    Reply raw(String text, boolean head) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
            return read(new BufferedInputStream(socket.getInputStream()), head);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Socket open() throws IOException {
        return new Socket("127.0.0.1", port);
    }

    /** Status 0 if nothing came. */
    static Reply read(InputStream in, boolean head) throws IOException {
        String first = Application.line(in);
        if (first.isEmpty()) {
            return new Reply(0, List.of(), new byte[0], false);
        }
        int status = Integer.parseInt(first.split(" ")[1]);
        List<String> headers = new ArrayList<>();
        for (String next = Application.line(in); !next.isEmpty(); next = Application.line(in)) {
            headers.add(next);
        }
        Reply start = new Reply(status, headers, new byte[0], true);
        if (head || status == 204 || status == 304 || status == 101) {
            return start;
        }
        try {
            if (!start.header("Content-Length").isEmpty()) {
                int length = Integer.parseInt(start.header("Content-Length"));
                byte[] body = in.readNBytes(length);
                return new Reply(status, headers, body, body.length == length);
            }
            if (start.header("Transfer-Encoding").equals("chunked")) {
                return new Reply(status, headers, Application.chunks(in), true);
            }
            return new Reply(status, headers, in.readAllBytes(), true);
        } catch (IOException e) {
            return new Reply(status, headers, new byte[0], false);
        }
    }
}
