package dev.millrace.keyspace.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server written by hand, for answers that a real one gives only by bad luck: half a batch, a
 * script lost just before the connection, nonsense. Whatever a client asks to introduce itself is
 * answered here; the rest is asked of the test.
 */
public final class FakeServer implements AutoCloseable {

    /** Closes the connection instead of answering. */
    public static final String HANG_UP = "";

    private static final String INFO =
            "redis_version:7.0.15\r\nredis_mode:standalone\r\nrun_id:fake\r\n";

    /** What the test says to a command: RESP2 with all its line ends, or {@link #HANG_UP}. */
    public interface Answers {
        String to(List<String> command);
    }

    private final ServerSocket door;
    private final Answers answers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private FakeServer(Answers answers) throws IOException {
        this.answers = answers;
        this.door = new ServerSocket(0, 50, InetAddress.ofLiteral(TestServer.HOST));
        Thread.ofVirtual().name("fake-server").start(this::accept);
    }

    public static FakeServer start(Answers answers) {
        try {
            return new FakeServer(answers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "redis://" + TestServer.HOST + ":" + door.getLocalPort();
    }

    public static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                String answer = answer(command(in));
                if (answer.equals(HANG_UP)) {
                    return;
                }
                out.write(answer.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            // The client is gone.
        } finally {
            open.remove(client);
        }
    }

    private String answer(List<String> command) {
        return switch (command.getFirst()) {
            case "INFO" -> bulk(INFO);
            case "PING" -> "+PONG\r\n";
            case "AUTH", "SELECT" -> "+OK\r\n";
            case "CLIENT" -> command.get(1).equals("ID") ? ":1\r\n" : "+OK\r\n";
            case "EVAL" -> "*0\r\n";
            case "SCRIPT" -> bulk("0123456789012345678901234567890123456789");
            default -> answers.to(command);
        };
    }

    private static List<String> command(InputStream in) throws IOException {
        int parts = number(in);
        List<String> words = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
            words.add(new String(in.readNBytes(number(in)), StandardCharsets.UTF_8));
            in.skipNBytes(2);
        }
        return words;
    }

    /** The number in a line such as {@code *3} or {@code $7}. */
    private static int number(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        return Integer.parseInt(line.substring(1).strip());
    }

    @Override
    public void close() {
        try {
            door.close();
            for (Socket client : open) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
