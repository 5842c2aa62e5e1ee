package dev.millrace.bench.rest;

import dev.millrace.bench.race.Jvm;
import dev.millrace.bench.race.Scratch;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.bench.race.WholeHubMain;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The ahead-of-time cache of a hub, made by a rehearsal as the launcher makes it. */
final class StartCache implements AutoCloseable {
    private final Scratch directory;
    private final Optional<Path> file;

    private StartCache(Scratch directory, Optional<Path> file) {
        this.directory = directory;
        this.file = file;
    }

    /**
     * Rehearses; without a result where the JVM makes no cache, as of classes that are in no jar.
     *
     * @param flags of the JVM that will use it
     * @param rounds of the rehearsal
     */
    static StartCache make(List<String> flags, int rounds) throws IOException {
        Scratch directory = Scratch.create();
        boolean jars =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .noneMatch(entry -> Files.isDirectory(Path.of(entry)));
        if (!jars || rounds == 0) {
            return new StartCache(directory, Optional.empty());
        }
        Path file = directory.path().resolve("cache");
        List<String> all = new ArrayList<>(WholeHub.flags(flags));
        all.add("-XX:AOTCacheOutput=" + file);
        List<String> arguments = new ArrayList<>(List.of("run", "--rehearse=" + rounds));
        for (String setting : List.of("http.port=0", "mqtt.embedded.port=0", "log.level=warn")) {
            arguments.addAll(List.of("--set", setting));
        }
        arguments.addAll(List.of("--set", "data.dir=" + directory.path().resolve("data")));
        ProcessBuilder rehearsal =
                new ProcessBuilder(Jvm.command(WholeHubMain.class.getName(), all, arguments))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.path().resolve("log").toFile());
        try {
            rehearsal.start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new StartCache(directory, Files.exists(file) ? Optional.of(file) : Optional.empty());
    }

    boolean exists() {
        return file.isPresent();
    }

    /** Flags with which a hub uses it. */
    List<String> flags() {
        return file.map(path -> List.of("-XX:AOTCache=" + path)).orElse(List.of());
    }

    @Override
    public void close() {
        directory.close();
    }
}
