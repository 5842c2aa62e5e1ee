package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.testing.TestServer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@code Commit.run.lua}, called by hand. */
final class CommitScript {
    private final TestServer server;
    private final String sha;

    CommitScript(TestServer server) {
        this.server = server;
        sha =
                String.valueOf(
                        server.command("SCRIPT", "LOAD", "#!lua\n" + part("feeds") + part("run")));
    }

    private static String part(String name) {
        try (InputStream in = Commit.class.getResourceAsStream("Commit." + name + ".lua")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Operations with their keys and arguments, as one commit sends them. */
    record Ops(String letters, List<String> keys, List<String> args) {

        static Ops of(String letters, String keys, String... args) {
            return new Ops(letters, List.of(keys.split(" ")), List.of(args));
        }

        Ops and(Ops more) {
            List<String> allKeys = new ArrayList<>(keys);
            allKeys.addAll(more.keys);
            List<String> allArgs = new ArrayList<>(args);
            allArgs.addAll(more.args);
            return new Ops(letters + more.letters, allKeys, allArgs);
        }
    }

    /** All of them in one call. */
    List<?> run(Ops... commits) {
        List<String> keys = new ArrayList<>();
        List<String> args = new ArrayList<>();
        for (Ops commit : commits) {
            keys.addAll(commit.keys);
            args.add(commit.letters);
            args.add(Integer.toString(commit.keys.size()));
            args.add(Integer.toString(commit.args.size()));
            args.addAll(commit.args);
        }
        List<String> words = new ArrayList<>(List.of("EVALSHA", sha, "" + keys.size()));
        words.addAll(keys);
        words.addAll(args);
        return (List<?>) server.command(words.toArray(String[]::new));
    }
}
