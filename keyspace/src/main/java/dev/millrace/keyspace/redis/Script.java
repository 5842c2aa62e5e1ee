package dev.millrace.keyspace.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A Lua file beside its Java caller, loaded by name and called by hash. {@code Script.of(X.class,
 * "verb")} reads {@code X.verb.lua} from the caller's package. Its flags are given in Java, because
 * one file may be loaded twice with different ones: a commit that only removes may run on a full
 * server, the same script with writes may not.
 *
 * <p>Every script gets a {@code #!lua} head: with it the server itself checks that all keys share
 * one slot and refuses a full memory before the first line runs.
 */
public final class Script {
    /** In quotes and capital: a command, or a word that belongs to one. */
    private static final Pattern WORD = Pattern.compile("'([A-Z]{3,})'");

    private final String name;
    private final byte[] source;
    private final byte[] sha;
    private final boolean reads;
    private final List<byte[]> commands;

    private Script(String name, String source, boolean reads) {
        this.name = name;
        this.source = source.getBytes(StandardCharsets.UTF_8);
        this.sha = sha1(this.source).getBytes(StandardCharsets.US_ASCII);
        this.reads = reads;
        this.commands =
                WORD.matcher(source)
                        .results()
                        .map(word -> word.group(1))
                        .distinct()
                        .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                        .toList();
    }

    /**
     * A script that may write; refused whole by the server when its memory is full.
     *
     * @param parts names of files that come before it: what several scripts have in common
     */
    public static Script of(Class<?> caller, String verb, String... parts) {
        return load(caller, verb, "", false, parts);
    }

    /** A script that only removes things, or writes next to nothing: may run on a full server. */
    public static Script emptying(Class<?> caller, String verb, String... parts) {
        return load(caller, verb, "allow-oom", false, parts);
    }

    /** A script that only reads: runs on a full server and on a replica, and may be sent twice. */
    public static Script reading(Class<?> caller, String verb, String... parts) {
        return load(caller, verb, "no-writes", true, parts);
    }

    private static Script load(
            Class<?> caller, String verb, String flags, boolean reads, String... parts) {
        StringBuilder source =
                new StringBuilder(flags.isEmpty() ? "#!lua\n" : "#!lua flags=" + flags + "\n");
        for (String part : parts) {
            source.append(read(caller, fileOf(caller, part)));
        }
        String file = fileOf(caller, verb);
        return new Script(file, source.append(read(caller, file)).toString(), reads);
    }

    private static String fileOf(Class<?> caller, String name) {
        return caller.getSimpleName() + "." + name + ".lua";
    }

    private static String read(Class<?> caller, String file) {
        try (InputStream in = caller.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "There is no script " + file + " beside " + caller.getName() + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    /** A command that runs the script without loading it, for the first moments of a connection. */
    public byte[][] evaluation(byte[] key) {
        return new byte[][] {Wire.ascii("EVAL"), source, Wire.ascii("1"), key};
    }

    /** The same for a script that names no key: any server runs it, also one of a cluster. */
    public byte[][] evaluationWithoutKeys() {
        return new byte[][] {Wire.ascii("EVAL"), source, Wire.ascii("0")};
    }

    byte[] source() {
        return source;
    }

    byte[] sha() {
        return sha;
    }

    boolean reads() {
        return reads;
    }

    /** The commands it calls; there may be other words among them. */
    List<byte[]> commands() {
        return commands;
    }

    @Override
    public String toString() {
        return name;
    }

    private static String sha1(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }
}
