package dev.millrace.hub.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a hub does to show the JVM what a hub does. The launcher lets one start on data of its own,
 * with {@code run --rehearse}, while the JVM takes notes; from them it makes the ahead-of-time
 * cache, with which all later hubs start sooner. The more of what a real hub does happens here, the
 * more of it is ready in that cache.
 *
 * <p>Its requests are written by hand: an HTTP client would put its own classes into the cache.
 */
final class Rehearsal {
    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

    private static final List<String> PATHS =
            List.of("/", "/openapi.json", "/metrics", "/health/ready");

    /** Enough for the JVM to learn which branches are usual. */
    private static final int ROUNDS = 50;

    private static final int PATIENCE_MILLIS = 10_000;

    private Rehearsal() {}

    /** Asks for the usual pages; that one of them is missing does not matter. */
    static void visit(URI hub) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (String path : PATHS) {
                    get(hub, path);
                }
            }
        } catch (IOException e) {
            log.warn("The rehearsal ended early: {}", e.getMessage());
        }
    }

    private static void get(URI hub, String path) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(hub.getHost(), hub.getPort()), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            String request =
                    "GET %s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
                            .formatted(path, hub.getAuthority());
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }
}
