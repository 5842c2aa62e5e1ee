package dev.millrace.hub.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * How tests start the program in a JVM of its own: with the class path of the product, without that
 * of the tests, and with an ahead-of-time cache like the one that the launcher makes. Tests start
 * hundreds of these, and most of the time of each would go into loading the same classes. The cache
 * is made by a rehearsal, once for all JVMs that run tests, and lies in {@code target} until a
 * class changes. Without it everything goes on as well, only slower.
 */
final class Program {
    private static final Path HOME = Path.of("target", "test-program");
    private static final String MAIN = "dev.millrace.hub.cli.Main";

    /** The same flags for the rehearsal and for what uses its cache, else the JVM refuses it. */
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseCompactObjectHeaders",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    // These start sooner, and the processes live for a second.
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xlog:aot*=off");

    private static final List<String> COMMAND = command();

    private Program() {}

    /** What goes before the arguments. */
    static List<String> start() {
        return COMMAND;
    }

    private static List<String> command() {
        List<Path> classes =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(
                                entry ->
                                        !entry.contains("test-classes")
                                                && !entry.endsWith("-tests.jar"))
                        .map(Path::of)
                        .toList();
        try {
            Files.createDirectories(HOME);
            // The other JVM of the tests wants the same at the same time.
            try (FileChannel file =
                            FileChannel.open(
                                    HOME.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                assert lock.isValid();
                Path made = HOME.resolve(Integer.toHexString(fingerprint(classes)));
                Path cache = made.resolve("cache").toAbsolutePath();
                List<Path> jars = jars(classes, made);
                if (!Files.exists(made)) {
                    make(classes, made, jars, cache);
                }
                List<String> options =
                        Files.exists(cache) ? List.of("-XX:AOTCache=" + cache) : List.of();
                return java(options, jars);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> java(List<String> options, List<Path> jars) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(options);
        command.add("-cp");
        command.add(
                jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(MAIN);
        return List.copyOf(command);
    }

    /** Of names, sizes and times, which change with every compilation. */
    private static int fingerprint(List<Path> classes) throws IOException {
        int hash = System.getProperty("java.home").hashCode();
        for (Path entry : classes) {
            for (Path file : files(entry)) {
                hash =
                        List.of(hash, file, Files.size(file), Files.getLastModifiedTime(file))
                                .hashCode();
            }
        }
        return hash;
    }

    private static List<Path> files(Path entry) throws IOException {
        try (Stream<Path> all = Files.exists(entry) ? Files.walk(entry) : Stream.empty()) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A cache knows classes from jars only, so each directory becomes one. */
    private static List<Path> jars(List<Path> classes, Path made) {
        List<Path> jars = new ArrayList<>();
        for (Path entry : classes) {
            jars.add(
                    Files.isDirectory(entry)
                            ? made.resolve("classes-" + jars.size() + ".jar").toAbsolutePath()
                            : entry.toAbsolutePath());
        }
        return jars;
    }

    private static void make(List<Path> classes, Path made, List<Path> jars, Path cache)
            throws IOException {
        try (Stream<Path> older = Files.list(HOME)) {
            for (Path each : older.filter(Files::isDirectory).toList()) {
                deleteTree(each);
            }
        }
        Files.createDirectories(made);
        for (int i = 0; i < classes.size(); i++) {
            if (Files.isDirectory(classes.get(i))) {
                pack(classes.get(i), jars.get(i));
            }
        }
        Path stage = Files.createDirectories(made.resolve("rehearsal"));
        List<String> command = new ArrayList<>(java(List.of("-XX:AOTCacheOutput=cache"), jars));
        command.addAll(List.of("run", "--rehearse=10"));
        ProcessBuilder rehearsal = new ProcessBuilder(command).directory(stage.toFile());
        rehearsal.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        rehearsal
                .environment()
                .putAll(Map.of("MILLRACE_HTTP_PORT", "0", "MILLRACE_MQTT_EMBEDDED_PORT", "0"));
        rehearsal.redirectErrorStream(true).redirectOutput(made.resolve("log").toFile());
        try {
            if (rehearsal.start().waitFor() == 0 && Files.exists(stage.resolve("cache"))) {
                Files.move(stage.resolve("cache"), cache, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        deleteTree(stage);
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out)) {
            // It is read often and kept for minutes.
            packed.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files(directory)) {
                packed.putNextEntry(
                        new JarEntry(
                                directory
                                        .relativize(file)
                                        .toString()
                                        .replace(File.separatorChar, '/')));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
    }

    private static void deleteTree(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
