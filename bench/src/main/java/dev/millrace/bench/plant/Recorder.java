package dev.millrace.bench.plant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.bench.race.RaceServer;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Hears, by MONITOR, which scripts the hub calls while it works, so that a raw client can call the
 * same ones. What those scripts do inside is told too, and left out.
 */
final class Recorder implements AutoCloseable {
    private final Socket socket;
    private final Thread reading;
    private final List<byte[][]> heard = Collections.synchronizedList(new ArrayList<>());

    Recorder(RaceServer redis) throws IOException {
        URI uri = URI.create(redis.url());
        socket = new Socket(uri.getHost(), uri.getPort());
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                new BufferedInputStream(socket.getInputStream(), 1 << 20),
                                ISO_8859_1));
        if (uri.getUserInfo() != null) {
            String[] user = uri.getUserInfo().split(":", 2);
            say(user[0].isEmpty() ? "AUTH " + user[1] : "AUTH " + user[0] + " " + user[1]);
            in.readLine();
        }
        say("MONITOR");
        in.readLine();
        reading = Thread.startVirtualThread(() -> in.lines().forEach(this::hear));
    }

    private void say(String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes(ISO_8859_1));
    }

    /** A line as {@code +1700000000.5 [0 127.0.0.1:5000] "evalsha" "…"}. */
    private void hear(String line) {
        int words = line.indexOf("] \"");
        if (words < 0 || line.startsWith(" lua]", line.indexOf('[') + 2)) {
            return;
        }
        byte[][] command = words(line, words + 2);
        if (text(command[0]).equalsIgnoreCase("EVALSHA")) {
            heard.add(command);
        }
    }

    /** The calls whose arguments name a key that begins so, with another word instead. */
    List<byte[][]> callsThatName(String word, String instead) {
        synchronized (heard) {
            return heard.stream()
                    .filter(
                            command ->
                                    Stream.of(command).anyMatch(each -> text(each).contains(word)))
                    .map(
                            command ->
                                    Stream.of(command)
                                            .map(each -> text(each).replace(word, instead))
                                            .map(each -> each.getBytes(ISO_8859_1))
                                            .toArray(byte[][]::new))
                    .toList();
        }
    }

    private static String text(byte[] word) {
        return new String(word, ISO_8859_1);
    }

    /** Words in quotes, with the escapes that Redis uses. */
    private static byte[][] words(String line, int from) {
        List<byte[]> words = new ArrayList<>();
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        boolean inside = false;
        for (int i = from; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (letter == '"') {
                if (inside) {
                    words.add(word.toByteArray());
                    word.reset();
                }
                inside = !inside;
            } else if (inside && letter == '\\') {
                char kind = line.charAt(++i);
                if (kind == 'x') {
                    word.write(Integer.parseInt(line, i + 1, i + 3, 16));
                    i += 2;
                } else {
                    word.write(meaning(kind));
                }
            } else if (inside) {
                word.write(letter);
            }
        }
        return words.toArray(byte[][]::new);
    }

    private static int meaning(char escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'a' -> 7;
            case 'b' -> '\b';
            default -> escaped;
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            reading.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
