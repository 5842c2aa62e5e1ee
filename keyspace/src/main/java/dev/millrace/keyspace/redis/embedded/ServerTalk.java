package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Single questions to an embedded server: enough to start, watch and stop one, and no client. */
final class ServerTalk {
    static final String PONG = "+PONG";

    private ServerTalk() {}

    /**
     * Sends AUTH, then a command that needs no quoting, and gives the first line of its reply;
     * empty when the server hangs up instead. Somebody else's server on that port would not accept
     * the password.
     *
     * @throws IOException when it is not reached, takes too long or does not know us
     */
    static String exchange(Address address, Duration timeout, String command) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), millis);
            socket.setSoTimeout(millis);
            BufferedReader reader =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String auth = "AUTH " + address.user() + " " + address.password();
            // One after the other: a server that shuts down does not send what is still waiting.
            String authenticated = ask(socket, reader, auth);
            if (!authenticated.equals("+OK")) {
                throw new IOException("AUTH was answered with " + authenticated);
            }
            return ask(socket, reader, command);
        }
    }

    private static String ask(Socket socket, BufferedReader reader, String command)
            throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        String reply = reader.readLine();
        return reply == null ? "" : reply;
    }
}
