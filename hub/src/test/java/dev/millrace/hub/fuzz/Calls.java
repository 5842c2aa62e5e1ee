package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/** Honest requests of an admin, each over a connection of its own, so that none is left. */
final class Calls {
    private final Target target;

    Calls(Target target) {
        this.target = target;
    }

    Heard get(String path) {
        return send("GET", path, "");
    }

    Heard send(String method, String path, String body) {
        try (Socket socket = target.connect(target.http)) {
            socket.getOutputStream()
                    .write(request(method, path, body, "Connection: close\r\n").getBytes(UTF_8));
            return Heard.read(new Listening(socket), false)
                    .orElseThrow(() -> new IOException("closed without an answer"));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        }
    }

    String request(String method, String path, String body, String headers) {
        return "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%sContent-Length: %d\r\n\r\n%s"
                .formatted(
                        method,
                        path,
                        target.http.getPort(),
                        target.admin().isEmpty()
                                ? ""
                                : "Authorization: Bearer " + target.admin() + "\r\n",
                        headers,
                        body.getBytes(UTF_8).length,
                        body);
    }

    /** Opens a stream of events; whoever opened it reads and closes it. */
    Socket stream(String path) throws IOException {
        Socket socket = target.connect(target.http);
        socket.getOutputStream().write(request("GET", path, "", "").getBytes(ISO_8859_1));
        return socket;
    }
}
