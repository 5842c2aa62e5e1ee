package dev.millrace.keyspace.redis.embedded;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server program that was found, asked for its version and accepted.
 *
 * <p>The order of the search is: the configured path; {@code valkey-server}, then {@code
 * redis-server} on the PATH; the one inside the jar {@code org.signal:embedded-redis}. The system's
 * own comes first because it gets security fixes and is faster. One on the PATH that cannot be used
 * (too old, or too old for the data that are there) is passed over with a warning, since the one in
 * the jar may do; a configured one is what somebody asked for, so there it is an error.
 */
public record ServerBinary(Path path, Product product, String version) {

    private static final Logger log = LoggerFactory.getLogger(ServerBinary.class);

    /** Of the binaries in the jar, not of the jar. */
    private static final String BUNDLED_VERSION = "7.0.15";

    private static final List<String> NAMES = List.of("valkey-server", "redis-server");

    private static final Pattern VERSION_LINE =
            Pattern.compile("(?m)^(Redis|Valkey) server v=((\\d+)\\.(\\d+)\\.\\d+)");

    /** A program that only prints a line; long enough for a machine that is just starting. */
    private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(30);

    /** Who makes the server. Numbers of the two are not comparable since they parted at 7.2. */
    public enum Product {
        REDIS("Redis", 7, 0),
        VALKEY("Valkey", 7, 2);

        private final String title;
        private final int leastMajor;
        private final int leastMinor;

        Product(String title, int leastMajor, int leastMinor) {
            this.title = title;
            this.leastMajor = leastMajor;
            this.leastMinor = leastMinor;
        }

        public String title() {
            return title;
        }

        static Product titled(String title) {
            return title.equals(VALKEY.title) ? VALKEY : REDIS;
        }

        private boolean accepts(int major, int minor) {
            return major > leastMajor || (major == leastMajor && minor >= leastMinor);
        }
    }

    /**
     * Finds the server program. One that has to come out of the jar is put into {@code extractTo},
     * and stays there for the next time.
     *
     * @throws EmbeddedServerException when there is none that can be used
     */
    public static ServerBinary find(Optional<Path> configured, Path extractTo) {
        return find(configured, extractTo, Optional.empty());
    }

    /**
     * Like {@link #find(Optional, Path)}, and it can read what was written before.
     *
     * @param writer who wrote last, if that is known
     */
    static ServerBinary find(
            Optional<Path> configured, Path extractTo, Optional<ServerVersion> writer) {
        String searchPath = System.getenv().getOrDefault("PATH", "");
        return find(configured, searchPath, platform(), extractTo, writer);
    }

    static ServerBinary find(
            Optional<Path> configured,
            String searchPath,
            String platform,
            Path extractTo,
            Optional<ServerVersion> writer) {
        if (configured.isPresent()) {
            return inspect(configured.get()).thatReads(writer);
        }
        for (String name : NAMES) {
            for (Path candidate : onPath(searchPath, name)) {
                try {
                    return inspect(candidate).thatReads(writer);
                } catch (EmbeddedServerException unusable) {
                    log.warn("Skipped a server on the PATH: {}", unusable.getMessage());
                }
            }
        }
        return inspect(extract(platform, extractTo)).thatReads(writer);
    }

    private ServerBinary thatReads(Optional<ServerVersion> writer) {
        if (writer.isPresent() && !writer().reads(writer.get())) {
            throw new EmbeddedServerException(
                    "The data were last written by %s, and %s (%s) cannot read them. Install %s."
                            .formatted(writer.get(), writer(), path, writer.get().successors()));
        }
        return this;
    }

    /** Who writes when this program runs. */
    ServerVersion writer() {
        return ServerVersion.parse(product.title + " " + version)
                .orElseThrow(() -> new IllegalStateException("no version: " + version));
    }

    private static List<Path> onPath(String searchPath, String name) {
        List<Path> found = new ArrayList<>();
        for (String directory : searchPath.split(Pattern.quote(File.pathSeparator), -1)) {
            try {
                // An empty entry means the working directory to a shell. We do not follow that:
                // nobody wants a server from wherever the program was started.
                Path candidate = Path.of(directory, name);
                if (!directory.isEmpty()
                        && Files.isRegularFile(candidate)
                        && Files.isExecutable(candidate)) {
                    found.add(candidate.toAbsolutePath());
                }
            } catch (InvalidPathException e) {
                log.debug("An entry of the PATH is not a valid path: {}", e.getMessage());
            }
        }
        return found;
    }

    private static ServerBinary inspect(Path path) {
        if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
            throw new EmbeddedServerException(
                    "There is no executable server program at "
                            + path
                            + "; give the path of a valkey-server or redis-server.");
        }
        String output = versionOutput(path);
        Matcher line = VERSION_LINE.matcher(output);
        if (!line.find()) {
            throw new EmbeddedServerException(
                    path
                            + " does not call itself a Redis or Valkey server; it says: "
                            + output.strip());
        }
        Product product = Product.titled(line.group(1));
        int major = Integer.parseInt(line.group(3));
        int minor = Integer.parseInt(line.group(4));
        if (!product.accepts(major, minor)) {
            throw new EmbeddedServerException(
                    "%s is %s %s, which is too old; at least Redis 7.0 or Valkey 7.2 is needed."
                            .formatted(path, product.title, line.group(2)));
        }
        return new ServerBinary(path.toAbsolutePath(), product, line.group(2));
    }

    private static String versionOutput(Path path) {
        try {
            Process process =
                    new ProcessBuilder(path.toString(), "--version")
                            .redirectErrorStream(true)
                            .start();
            try {
                process.getOutputStream().close();
                if (!process.waitFor(VERSION_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new EmbeddedServerException(
                            path + " --version does not come to an end; is it a server program?");
                }
                return new String(
                        process.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new EmbeddedServerException(
                    path
                            + " cannot be run; is it made for this machine, and is its directory"
                            + " perhaps mounted noexec? ("
                            + e.getMessage()
                            + ")",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedServerException("Interrupted while asking for the version.", e);
        }
    }

    /** The platform as the file names in the jar spell it, such as {@code linux-amd64}. */
    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String system = os.startsWith("mac") ? "darwin" : os.replace(' ', '-');
        return system
                + "-"
                + switch (arch) {
                    case "amd64", "x86_64" -> "amd64";
                    case "aarch64", "arm64" -> "arm64";
                    default -> arch;
                };
    }

    private static Path extract(String platform, Path directory) {
        String name = "redis-server-" + BUNDLED_VERSION + "-" + platform;
        byte[] bytes = bundled(name);
        if (bytes == null) {
            throw new EmbeddedServerException(
                    "There is no built-in Redis for this platform ("
                            + platform
                            + "). Install valkey-server 7.2 or redis-server 7.0 or newer so that"
                            + " it is on the PATH, or give the address of a running server.");
        }
        Path target = directory.resolve(name);
        try {
            if (!holds(target, bytes)) {
                Files.createDirectories(directory);
                // Another process may be extracting, or running, the same file: give it its name
                // only when it is whole, and never write into one that has the name.
                Path temporary = Files.createTempFile(directory, name, ".tmp");
                try {
                    Files.write(temporary, bytes);
                    if (!temporary.toFile().setExecutable(true)) {
                        throw new IOException("cannot make it executable");
                    }
                    Files.move(
                            temporary,
                            target,
                            StandardCopyOption.ATOMIC_MOVE,
                            StandardCopyOption.REPLACE_EXISTING);
                } finally {
                    Files.deleteIfExists(temporary);
                }
            }
            return target;
        } catch (IOException e) {
            throw new EmbeddedServerException(ServerDiagnosis.unusable(directory, e), e);
        }
    }

    private static byte @Nullable [] bundled(String name) {
        try (InputStream in = ServerBinary.class.getResourceAsStream("/" + name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new EmbeddedServerException("The built-in Redis cannot be read: " + e, e);
        }
    }

    private static boolean holds(Path file, byte[] bytes) throws IOException {
        return Files.isExecutable(file)
                && Files.size(file) == bytes.length
                && Arrays.equals(Files.readAllBytes(file), bytes);
    }
}
