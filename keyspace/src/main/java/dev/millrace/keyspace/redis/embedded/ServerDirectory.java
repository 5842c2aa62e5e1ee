package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Address;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The files of an embedded server, in {@code dataDir/redis}. Beside the data that the server itself
 * keeps there:
 *
 * <pre>
 * bin/               the server program out of the jar, if it was needed
 * hub.lock           held by the process that started the server, holds its id
 * server.lock        held by the server and its parent shell
 * server.conf        written at every start, with the password
 * server.history     which servers have written the data, one line for each version, newest last
 * server.log         of the server; server.log.1 is the one before
 * server.properties  how to reach the server, while it runs
 * server.sock        the unix socket, if the path is short enough for one
 * server-parent.sh   the parent shell's script
 * </pre>
 *
 * The directory is its owner's only, and so is every file with the password.
 */
record ServerDirectory(Path path) {

    private static final Logger log = LoggerFactory.getLogger(ServerDirectory.class);

    /** A socket's path has 108 bytes on Linux and 104 on macOS, with a closing zero. */
    private static final int SOCKET_PATH_LIMIT = 100;

    private static final String SOCKET_DIRECTORY_PREFIX = "millrace-";

    /** Bytes. The log is rotated at a start, so that it and the one before stay small. */
    private static final long LOG_LIMIT = 1 << 20;

    /** Bytes. A server is not started where there is less room; see {@link #needRoom}. */
    static final int ROOM = 1 << 20;

    private static final Set<PosixFilePermission> PRIVATE_FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> PRIVATE_DIRECTORY =
            PosixFilePermissions.fromString("rwx------");

    static ServerDirectory of(Path dataDir) {
        return new ServerDirectory(dataDir.toAbsolutePath().normalize().resolve("redis"));
    }

    Path binaries() {
        return path.resolve("bin");
    }

    Path config() {
        return path.resolve("server.conf");
    }

    Path log() {
        return path.resolve("server.log");
    }

    Path serverLock() {
        return path.resolve("server.lock");
    }

    Path parentScript() {
        return path.resolve("server-parent.sh");
    }

    Path appendOnly() {
        return path.resolve("appendonlydir");
    }

    /** Names the files that the append-only file consists of. */
    Path manifest() {
        return appendOnly().resolve("appendonly.aof.manifest");
    }

    private Path history() {
        return path.resolve("server.history");
    }

    private Path properties() {
        return path.resolve("server.properties");
    }

    void create() throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            throw new EmbeddedServerException(
                    "An embedded server needs Linux or macOS. "
                            + EmbeddedServer.OTHER_SERVER
                            + ".");
        }
        Files.createDirectories(parentOf(path));
        if (!Files.isDirectory(path)) {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE_DIRECTORY));
        }
    }

    /** Removes what a process that was killed left behind. Only for the holder of the lock. */
    void tidy() throws IOException {
        remove(published().flatMap(Address::socket));
        withdraw();
    }

    /**
     * Tries whether there is room for a little data. A server with fsync would start without, take
     * the first write and end by it, over and over; those who sent it would not know what became of
     * it. One that is not there gives them an answer.
     *
     * @throws IOException when nothing, or not enough, can be written
     */
    void needRoom() throws IOException {
        Path trial = path.resolve("server.trial");
        try {
            Files.write(trial, new byte[ROOM]);
        } finally {
            Files.deleteIfExists(trial);
        }
    }

    /** Starts a new log when the old one is long. Only while no server is running. */
    void turnLog() throws IOException {
        if (Files.exists(log()) && Files.size(log()) > LOG_LIMIT) {
            Files.move(log(), path.resolve("server.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Who wrote the data last, if it is known. */
    Optional<ServerVersion> lastWriter() throws IOException {
        List<String> lines = lines(history());
        for (String line : lines.reversed()) {
            // A time, a blank, and the version.
            Optional<ServerVersion> version =
                    ServerVersion.parse(line.substring(line.indexOf(' ') + 1));
            if (version.isPresent()) {
                return version;
            }
        }
        if (!lines.isEmpty()) {
            log.warn("This file is damaged and ignored. file={}", history());
        }
        return Optional.empty();
    }

    /** Notes that the data are written by this version from now on. */
    void recordWriter(ServerVersion version, Instant when) throws IOException {
        List<String> lines = new ArrayList<>(lines(history()));
        lines.add(when.truncatedTo(ChronoUnit.SECONDS) + " " + version);
        writePrivate(history(), String.join("\n", lines) + "\n");
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** The tool that mends an append-only file: the server program under another name. */
    Path checkTool(ServerBinary binary) {
        String name = binary.product().title().toLowerCase(Locale.ROOT) + "-check-aof";
        Path beside = binary.path().resolveSibling(name);
        if (Files.isExecutable(beside)) {
            return beside;
        }
        Path tool = binaries().resolve(name);
        try {
            Files.createDirectories(binaries());
            Files.deleteIfExists(tool);
            return Files.createSymbolicLink(tool, binary.path());
        } catch (IOException e) {
            log.warn("Could not make a link to the tool. link={} cause={}", tool, e.toString());
            return Path.of(name);
        }
    }

    void writeConfig(String text) throws IOException {
        writePrivate(config(), text);
    }

    /** Tells others how to reach the server. */
    void publish(Address address, long pid, String version) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("port", Integer.toString(address.port()));
        address.socket().ifPresent(file -> properties.setProperty("socket", file.toString()));
        properties.setProperty("user", address.user());
        properties.setProperty("password", address.password());
        properties.setProperty("pid", Long.toString(pid));
        properties.setProperty("version", version);
        StringWriter text = new StringWriter();
        properties.store(text, "How to reach the embedded server. Removed when it stops.");
        writePrivate(properties(), text.toString());
    }

    void withdraw() throws IOException {
        Files.deleteIfExists(properties());
    }

    /** What {@link #publish} told last, whether or not that server is still there. */
    Optional<Address> published() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(properties(), StandardCharsets.UTF_8)) {
            properties.load(reader);
            return Optional.of(
                    new Address(
                            EmbeddedServer.HOST,
                            Integer.parseInt(properties.getProperty("port", "")),
                            Optional.ofNullable(properties.getProperty("socket")).map(Path::of),
                            properties.getProperty("user", ""),
                            properties.getProperty("password", "")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            log.warn("This file is damaged and ignored. file={}", properties(), e);
            return Optional.empty();
        }
    }

    /** A path for a socket: in this directory, else in a temporary one of its own, else none. */
    Optional<Path> newSocket() throws IOException {
        Path here = path.resolve("server.sock");
        if (fits(here)) {
            return Optional.of(here);
        }
        Path directory =
                Files.createTempDirectory(
                        SOCKET_DIRECTORY_PREFIX,
                        PosixFilePermissions.asFileAttribute(PRIVATE_DIRECTORY));
        Path there = directory.resolve("server.sock").toAbsolutePath();
        if (fits(there)) {
            return Optional.of(there);
        }
        Files.delete(directory);
        log.warn("There is no unix socket, because every path is too long. path={}", there);
        return Optional.empty();
    }

    /** Makes the socket's own directory again, should somebody have tidied it away. */
    void prepareSocket(Address address) throws IOException {
        if (address.socket().isPresent()) {
            Path directory = parentOf(address.socket().get());
            if (!Files.isDirectory(directory)) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PRIVATE_DIRECTORY));
            }
        }
    }

    private static boolean fits(Path socket) {
        return socket.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_LIMIT;
    }

    /** Removes a socket, and its directory if that was made for it. */
    static void remove(Optional<Path> socket) throws IOException {
        if (socket.isPresent()) {
            Files.deleteIfExists(socket.get());
            Path directory = parentOf(socket.get());
            Path name = directory.getFileName();
            if (name != null && name.toString().startsWith(SOCKET_DIRECTORY_PREFIX)) {
                Files.deleteIfExists(directory);
            }
        }
    }

    /** Replaced as a whole, so that nobody reads half a file; never readable for others. */
    private void writePrivate(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
        Files.writeString(temporary, text);
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path parentOf(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }
}
