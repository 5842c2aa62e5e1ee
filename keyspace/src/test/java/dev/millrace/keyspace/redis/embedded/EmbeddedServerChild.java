package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Another JVM with an embedded server, or in search of one; the other half of {@link
 * EmbeddedServerTest}.
 */
final class EmbeddedServerChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private EmbeddedServerChild(String verb, Path dataDir, String... more) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                EmbeddedServerChild.class.getName(),
                                verb,
                                dataDir.toString()));
        command.addAll(List.of(more));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** A JVM that starts a server on this directory and keeps it until it is ended. */
    static EmbeddedServerChild starting(Path dataDir) throws IOException {
        return new EmbeddedServerChild("start", dataDir);
    }

    /**
     * A JVM that starts a server and appends numbers to the list {@code log}, from the given one
     * on, and says {@code ack} and the number of each that is acknowledged.
     */
    static EmbeddedServerChild writing(Path dataDir, AppendFsync fsync, int first)
            throws IOException {
        return new EmbeddedServerChild("write", dataDir, fsync.name(), Integer.toString(first));
    }

    /** A JVM that looks for a running server. */
    static EmbeddedServerChild looking(Path dataDir) throws IOException {
        return new EmbeddedServerChild("look", dataDir);
    }

    public static void main(String[] args) throws IOException {
        Path dataDir = Path.of(args[1]);
        switch (args[0]) {
            case "start" -> {
                try {
                    EmbeddedServer server =
                            EmbeddedServer.start(dataDir, EmbeddedServer.Options.defaults());
                    answer("pid " + server.pid());
                } catch (EmbeddedServerException e) {
                    answer("refused " + e.getMessage());
                    return;
                }
                // Until the test closes the pipe or kills us; the server is not closed by us.
                while (System.in.read() >= 0) {}
            }
            case "write" -> {
                Options options = Options.defaults().withFsync(AppendFsync.valueOf(args[2]));
                EmbeddedServer server = EmbeddedServer.start(dataDir, options);
                answer("pid " + server.pid());
                write(server, Integer.parseInt(args[3]));
            }
            case "look" ->
                    answer(EmbeddedServer.running(dataDir).map(Address::port).orElse(0).toString());
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void write(EmbeddedServer server, int first) {
        try (Redis redis = server.connect(server.redisOptions().withLanes(1))) {
            for (int number = first; ; number++) {
                if (Servers.write(redis, "RPUSH", "log", "" + number).isDone()) {
                    answer("ack " + number);
                }
            }
        }
    }

    private static void answer(String line) {
        System.out.println("answer " + line.replace('\n', ' '));
        System.out.flush();
    }

    /** What the other JVM says, leaving out what its logging does. */
    String answer() throws IOException {
        return nextAnswer()
                .orElseThrow(() -> new IOException("The other JVM ended without an answer."));
    }

    /** The same, or empty when the JVM is gone and has said all. */
    Optional<String> nextAnswer() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("answer ")) {
                return Optional.of(line.substring("answer ".length()));
            }
        }
        return Optional.empty();
    }

    /** The process id of the server that the other JVM started. */
    ProcessHandle server() throws IOException {
        String answer = answer();
        if (!answer.startsWith("pid ")) {
            throw new IOException(answer);
        }
        return ProcessHandle.of(Long.parseLong(answer.substring("pid ".length()))).orElseThrow();
    }

    /** SIGKILL; returns when the JVM is gone, whatever becomes of its children. */
    void kill() {
        // The process itself would close its pipes too, with its last words in them.
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
