package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Turns what an embedded server left behind (an exception, an exit code, the end of its log) into a
 * sentence that says what to do.
 *
 * <p>The texts of the operating system come in the language of the machine, and a server whose disk
 * is full cannot write its log. So the directory itself is asked first: is it one, may we write, is
 * there room; texts are only a second witness.
 */
final class ServerDiagnosis {

    /** As glibc says it, and as musl does. */
    private static final Pattern PORT_TAKEN = Pattern.compile("Address (already )?in use");

    private static final Pattern NO_ROOM =
            Pattern.compile("No space left on device|[Qq]uota exceeded|File too large");

    private static final Pattern DISK_ERROR =
            Pattern.compile("AOF write error|AOF fsync error|writing to the AOF file");

    /** What the server advises itself; where the file cannot be cut, the tool says so. */
    private static final Pattern DAMAGED =
            Pattern.compile("(redis|valkey)-check-aof --fix|truncated file is not the last file");

    private static final Pattern NEWER_FORMAT = Pattern.compile("Can't handle RDB format version");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+-]+");

    private static final int KILLED = 128 + 9;

    private ServerDiagnosis() {}

    static boolean portTaken(String lastWords) {
        return PORT_TAKEN.matcher(lastWords).find();
    }

    static ServerTrouble portTaken(int port) {
        return ServerTrouble.unavailable(
                "The embedded server cannot listen on port "
                        + port
                        + ", which is in use. Free it, or "
                        + EmbeddedServer.FREE_PORT
                        + ".");
    }

    /** Why a directory cannot be used. */
    static ServerTrouble unusable(Path directory, IOException failure) {
        if (failure instanceof NoSuchFileException && !Files.exists(directory)) {
            return gone(directory);
        }
        Path existing = existing(directory);
        if (!Files.isDirectory(existing)) {
            return ServerTrouble.unavailable(
                    existing
                            + " is not a directory. Move it away, or choose "
                            + EmbeddedServer.OTHER_DIRECTORY
                            + " for the embedded server.");
        }
        if (readOnly(existing)) {
            return ServerTrouble.unavailable(
                    "The file system of "
                            + existing
                            + " is mounted read-only. Mount it for writing, or choose "
                            + EmbeddedServer.OTHER_DIRECTORY
                            + " for the embedded server.");
        }
        if (failure instanceof AccessDeniedException denied) {
            return ServerTrouble.unavailable(denied(directory, denied.getFile()));
        }
        if (NO_ROOM.matcher(String.valueOf(failure.getMessage())).find()
                || usable(existing) < ServerDirectory.ROOM) {
            return full(existing);
        }
        return ServerTrouble.unavailable(
                "The embedded server cannot use %s: %s (%s)."
                        .formatted(
                                directory,
                                failure.getMessage(),
                                failure.getClass().getSimpleName()));
    }

    /** Only ever advises to give away what is ours, never a directory above. */
    private static String denied(Path directory, String file) {
        String user = System.getProperty("user.name", "this user");
        String command = Files.exists(directory) ? "chown -R" : "install -d -o";
        return ("The user %s may not read and write %s, which the embedded server needs. Choose"
                        + " %s, or type: sudo %s %s %s")
                .formatted(
                        user,
                        file,
                        EmbeddedServer.OTHER_DIRECTORY,
                        command,
                        user,
                        quoted(directory));
    }

    /** As a shell takes it. */
    private static String quoted(Path path) {
        String text = path.toString();
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Why it is not simply made anew: a server would begin there with nothing. */
    static ServerTrouble gone(Path directory) {
        return ServerTrouble.unavailable(
                directory
                        + " is no longer the directory in which the embedded server was started:"
                        + " it was removed, moved or unmounted. Put it back, then start again.");
    }

    /** The directory, or what there is of the way to it. */
    private static Path existing(Path directory) {
        Path path = directory;
        for (Path up = path.getParent(); !Files.exists(path) && up != null; up = up.getParent()) {
            path = up;
        }
        return path;
    }

    private static boolean readOnly(Path path) {
        try {
            return Files.getFileStore(path).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    private static long usable(Path path) {
        try {
            return Files.getFileStore(path).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    private static ServerTrouble full(Path path) {
        String figures = "";
        try {
            FileStore store = Files.getFileStore(path);
            figures =
                    " (%,d of %,d KB are free)"
                            .formatted(store.getUsableSpace() / 1024, store.getTotalSpace() / 1024);
        } catch (IOException e) {
            // The sentence is true without its figures.
        }
        return ServerTrouble.full(
                "The disk with the data of the embedded server is full"
                        + figures
                        + ". Free some space in "
                        + path
                        + " or on the same disk.");
    }

    /**
     * Why a server ended that nobody told to.
     *
     * @param code its exit code, if the shell between lived to tell it
     */
    static ServerTrouble ended(
            ServerDirectory directory, ServerBinary binary, OptionalInt code, String lastWords) {
        try {
            directory.needRoom();
        } catch (IOException e) {
            return unusable(directory.path(), e).withLastWords(lastWords);
        }
        return ServerTrouble.unavailable(howItEnded(directory, binary, code, lastWords))
                .withLastWords(lastWords);
    }

    private static String howItEnded(
            ServerDirectory directory, ServerBinary binary, OptionalInt code, String lastWords) {
        if (DAMAGED.matcher(lastWords).find()) {
            return "The embedded server refuses to load its append-only file, which is damaged."
                    + " Copy the directory "
                    + directory.appendOnly()
                    + " to a safe place, then type: "
                    + quoted(directory.checkTool(binary))
                    + " --fix "
                    + quoted(directory.manifest())
                    + " (it cuts the file where the damage begins; later writes are lost).";
        }
        if (NEWER_FORMAT.matcher(lastWords).find()) {
            return "The data in "
                    + directory.path()
                    + " were written by a newer server than "
                    + binary.writer()
                    + ". Install the one that wrote them, or a newer one.";
        }
        if (DISK_ERROR.matcher(lastWords).find()) {
            return "The embedded server could not write to its disk and ended, because it may"
                    + " acknowledge nothing that is not there.";
        }
        if (code.isEmpty()) {
            return "The embedded server ended, and so did the shell that would know how.";
        }
        if (code.getAsInt() == KILLED) {
            return "The embedded server was killed. If nobody did that, the kernel may have, for"
                    + " lack of memory; dmesg tells.";
        }
        if (code.getAsInt() == 0) {
            return "The embedded server was shut down by somebody else, with SHUTDOWN or a signal.";
        }
        return code.getAsInt() > 128
                ? "The embedded server was ended by signal " + (code.getAsInt() - 128) + "."
                : "The embedded server ended by itself with code " + code.getAsInt() + ".";
    }
}
