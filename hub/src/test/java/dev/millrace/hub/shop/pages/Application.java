package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A web application on a plain socket, which may answer whatever it likes, byte by byte. */
final class Application implements AutoCloseable {
    /** A request as it arrived. */
    record Asked(String method, String target, List<String> headers, byte[] body) {
        Optional<String> header(String name) {
            return headers(name).stream().findFirst();
        }

        List<String> headers(String name) {
            return headers.stream()
                    .filter(
                            each ->
                                    each.toLowerCase(Locale.ROOT)
                                            .startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(each -> each.substring(name.length() + 1).strip())
                    .toList();
        }
    }

    /** Answers; the connection is closed after it unless it says true. */
    interface Answering {
        boolean answer(Asked asked, OutputStream out, Socket socket) throws Exception;
    }

    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    final List<Asked> all = new CopyOnWriteArrayList<>();
    private volatile Answering answering;

    Application(Answering answering) {
        this(0, answering);
    }

    Application(int port, Answering answering) {
        this.answering = answering;
        try {
            listening = new ServerSocket(port, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    void answers(Answering other) {
        answering = other;
    }

    /** A plain page, with these headers. */
    static Answering page(String body, String... headers) {
        return (asked, out, socket) -> {
            send(out, "200 OK", body, headers);
            return true;
        };
    }

    static void send(OutputStream out, String status, String body, String... headers)
            throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + "\r\n");
        for (String each : headers) {
            head.append(each).append("\r\n");
        }
        if (!status.startsWith("304") && !status.startsWith("204")) {
            head.append("Content-Length: ").append(body.getBytes(ISO_8859_1).length).append("\r\n");
        }
        head.append("\r\n").append(body);
        out.write(head.toString().getBytes(ISO_8859_1));
        out.flush();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    int port() {
        return listening.getLocalPort();
    }

    int count(String target) {
        return counts.getOrDefault(target, new AtomicInteger()).get();
    }

    int connections() {
        return sockets.size();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                sockets.add(socket);
                if (listening.isClosed()) {
                    socket.close();
                }
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                Optional<Asked> asked = read(in);
                if (asked.isEmpty()) {
                    return;
                }
                all.add(asked.get());
                counts.computeIfAbsent(asked.get().target(), t -> new AtomicInteger())
                        .incrementAndGet();
                if (!answering.answer(asked.get(), out, socket)) {
                    return;
                }
            }
        } catch (Exception e) {
            // The other side has gone, or the answer was to break.
        } finally {
            sockets.remove(socket);
        }
    }

    private static Optional<Asked> read(InputStream in) throws IOException {
        String line = line(in);
        if (line.isEmpty()) {
            return Optional.empty();
        }
        String[] words = line.split(" ");
        List<String> headers = new ArrayList<>();
        for (String next = line(in); !next.isEmpty(); next = line(in)) {
            headers.add(next);
        }
        Asked head = new Asked(words[0], words[1], headers, new byte[0]);
        byte[] body = new byte[0];
        if (head.header("Content-Length").isPresent()) {
            body = in.readNBytes(Integer.parseInt(head.header("Content-Length").get()));
        } else if (head.header("Transfer-Encoding").isPresent()) {
            body = chunks(in);
        }
        return Optional.of(new Asked(words[0], words[1], headers, body));
    }

    static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            String size = line(in);
            if (size.isEmpty()) {
                throw new IOException("The chunks end in the middle.");
            }
            int length = Integer.parseInt(size.split(";")[0].strip(), 16);
            byte[] chunk = in.readNBytes(length);
            if (chunk.length < length) {
                throw new IOException("A chunk ends in the middle.");
            }
            all.write(chunk);
            line(in);
            if (length == 0) {
                return all.toByteArray();
            }
        }
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket each : sockets) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
