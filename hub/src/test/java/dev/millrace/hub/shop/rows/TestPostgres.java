package dev.millrace.hub.shop.rows;

import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.testing.TestPorts;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A PostgreSQL of a test's own, in its directory and on its port, which can be stopped and started
 * again. It refuses to be run by root, and is then run by the user of the system's package. {@code
 * ./millrace test} installs it where it can.
 */
final class TestPostgres implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");
    private static final String USER = "shop";

    private final Path directory;
    private final int port = TestPorts.take();
    private @Nullable Process process;

    private TestPostgres(Path directory) {
        this.directory = directory;
    }

    /** One with a table of items in it, {@code inv}, and one of prices. */
    static TestPostgres start(Path directory) {
        TestPostgres postgres = new TestPostgres(directory);
        if (isRoot()) {
            // The directory of a test is its user's alone.
            run(List.of("chown", "postgres", directory.toString()));
        }
        run(
                postgres.as(
                        "initdb",
                        "--pgdata=" + postgres.data(),
                        "--username=" + USER,
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        postgres.start();
        postgres.execute(
                "CREATE TABLE inv (id INT PRIMARY KEY, name TEXT, qty INT, price NUMERIC(12, 4))",
                "INSERT INTO inv SELECT i, 'item ' || i, i, i + 0.5 FROM generate_series(1, 500) i",
                "CREATE SCHEMA shop",
                """
                CREATE TABLE shop.price (sku CHAR(12) PRIMARY KEY, amount NUMERIC(30, 10),
                    secret TEXT, at TIMESTAMPTZ, "on" DATE, small REAL, flag BOOLEAN, raw BYTEA,
                    tree JSONB, tags TEXT[])
                """,
                """
                INSERT INTO shop.price VALUES ('a/b', 12345678901234567890.0123456789, 'x',
                    '2024-02-29 12:00:00.5+02', '2024-02-29', 1.5, true, '\\x00ff',
                    '{"a": [1, null]}', '{x,NULL}')
                """);
        return postgres;
    }

    private Path data() {
        return directory.resolve("data");
    }

    String url() {
        return url(port);
    }

    int port() {
        return port;
    }

    /** The same through something that listens on this port. */
    String url(int other) {
        return "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s".formatted(other, USER);
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private List<String> as(String program, String... arguments) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        all.add(found(program));
        all.addAll(List.of(arguments));
        return all;
    }

    private static String found(String program) {
        if (!Files.isDirectory(PROGRAMS)) {
            return program;
        }
        try (Stream<Path> versions = Files.list(PROGRAMS)) {
            return versions.map(version -> version.resolve("bin").resolve(program))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .map(Path::toString)
                    .orElse(program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(Path.of("/").toFile())
                            .redirectErrorStream(true)
                            .start();
            String said = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The tests need PostgreSQL and could not start it; install the package"
                            + " postgresql.",
                    e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void start() {
        try {
            process =
                    new ProcessBuilder(
                                    as(
                                            "postgres",
                                            "-D",
                                            data().toString(),
                                            "-p",
                                            "" + port,
                                            "-c",
                                            "listen_addresses=127.0.0.1",
                                            "-c",
                                            "unix_socket_directories=",
                                            "-c",
                                            "fsync=off",
                                            "-c",
                                            "log_statement=all",
                                            "-c",
                                            "max_connections=40",
                                            "-c",
                                            "shared_buffers=16MB"))
                            .directory(Path.of("/").toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(
                                    ProcessBuilder.Redirect.appendTo(
                                            directory.resolve("log").toFile()))
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await().ignoreExceptions()
                .until(
                        () -> {
                            execute("SELECT 1");
                            return true;
                        });
    }

    /** At once, as if the machine had gone. */
    void kill() {
        Process running = process;
        process = null;
        if (running != null) {
            // Its children end when it does; it has no time to tell anybody.
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
            try {
                running.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Stops it from doing anything, or lets it go on; who is connected hears nothing of it. */
    void pause(boolean paused) {
        Process running = process;
        if (running != null) {
            Stream.concat(Stream.of(running.toHandle()), running.descendants())
                    .filter(ProcessHandle::isAlive)
                    .forEach(each -> signal(paused ? "-STOP" : "-CONT", each));
        }
    }

    private static void signal(String signal, ProcessHandle process) {
        try {
            new ProcessBuilder("kill", signal, "" + process.pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often something stands in its log of statements. */
    long asked(String text) {
        try (Stream<String> lines = Files.lines(directory.resolve("log"))) {
            return lines.filter(line -> line.contains(text)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        pause(false);
        kill();
    }
}
