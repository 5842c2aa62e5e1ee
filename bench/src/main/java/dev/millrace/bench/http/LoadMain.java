package dev.millrace.bench.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Locale;

/**
 * The load, in a process of its own. A line {@code PORT WORKLOAD CONNECTIONS MILLIS PREFIX} on
 * standard input is answered with {@code connected}; a second line lets it begin; {@code done COUNT
 * NANOS} or {@code failed SENTENCE} ends it. It goes on until its standard input ends.
 */
final class LoadMain {
    private LoadMain() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            try (Load load =
                    new Load(
                            Integer.parseInt(words[0]),
                            Workload.valueOf(words[1].toUpperCase(Locale.ROOT)),
                            words[4],
                            Integer.parseInt(words[2]))) {
                System.out.println("connected");
                in.readLine();
                long began = System.nanoTime();
                long count = load.run(Long.parseLong(words[3]) * 1_000_000);
                System.out.println("done " + count + " " + (System.nanoTime() - began));
            } catch (IOException | IllegalStateException e) {
                System.out.println("failed " + e.getMessage());
            }
        }
    }
}
