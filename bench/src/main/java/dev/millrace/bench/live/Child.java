package dev.millrace.bench.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, spoken to by lines. */
final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    Child(Class<?> program, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Dlogback.configurationFile=dev/millrace/bench/logback.xml",
                                "-cp",
                                System.getProperty("java.class.path"),
                                program.getName()));
        command.addAll(List.of(arguments));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    void tell(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
    }

    String hear() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("A process of the benchmark ended too soon.");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
