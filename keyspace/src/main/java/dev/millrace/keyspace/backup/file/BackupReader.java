package dev.millrace.keyspace.backup.file;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a backup file; {@link BackupWriter} says what is in it. Whoever uses what it hands over
 * before its end must have read the file to its end once before: only there it is known to be
 * whole.
 */
public final class BackupReader {
    private final Path file;
    private final MessageDigest digest = BackupWriter.sha256();
    private final InputStream in;

    /** A file that was read to its end. */
    public record Whole(BackupHead head, BackupEnd end) {}

    private BackupReader(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    /**
     * Reads the whole file.
     *
     * @throws BackupFileException with a sentence, if it is none, damaged or cut short
     */
    public static Whole read(Path file, Consumer<Held> target) {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in =
                        new BufferedInputStream(new GZIPInputStream(raw, 64 * 1024), 64 * 1024)) {
            return new BackupReader(file, in).read(target);
        } catch (NoSuchFileException e) {
            throw new BackupFileException("There is no file " + file + ".");
        } catch (ZipException e) {
            throw new BackupFileException(
                    "%s is not a backup of Millrace, or it is damaged (%s)."
                            .formatted(file, e.getMessage()));
        } catch (EOFException e) {
            throw new BackupFileException(
                    file + " is cut short: the backup was not finished, or not copied whole.");
        } catch (BufferUnderflowException e) {
            throw new BackupFileException(file + " is damaged: a record has no end.");
        } catch (IOException e) {
            throw new BackupFileException("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    private Whole read(Consumer<Held> target) throws IOException {
        if (!Arrays.equals(bytes(BackupWriter.MAGIC.length), BackupWriter.MAGIC)) {
            throw new BackupFileException(file + " is not a backup of Millrace.");
        }
        int version = ByteBuffer.wrap(bytes(Integer.BYTES)).getInt();
        if (version != BackupWriter.VERSION) {
            throw new BackupFileException(
                    "%s has format %d, and this version of Millrace reads format %d."
                            .formatted(file, version, BackupWriter.VERSION));
        }
        ByteBuffer first = record();
        if (first.get() != BackupWriter.HEAD) {
            throw damaged();
        }
        BackupHead head = head(first);
        for (ByteBuffer record = record(); ; record = record()) {
            switch ((char) record.get()) {
                case BackupWriter.PART -> target.accept(held(record));
                case BackupWriter.END -> {
                    BackupEnd end =
                            new BackupEnd(
                                    record.getLong(),
                                    record.getLong(),
                                    record.getLong(),
                                    new Checksum(record.getLong(), record.getLong()));
                    mustBeWhole();
                    return new Whole(head, end);
                }
                default -> throw damaged();
            }
        }
    }

    private Held held(ByteBuffer record) {
        try {
            return HeldCodec.decode(record);
        } catch (IllegalArgumentException e) {
            throw new BackupFileException(
                    "%s is damaged, or has something that this version does not know (%s)."
                            .formatted(file, e.getMessage()));
        }
    }

    private static BackupHead head(ByteBuffer record) throws IOException {
        byte[] bytes = new byte[record.remaining()];
        record.get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new BackupHead(
                    Instant.ofEpochMilli(in.readLong()),
                    in.readUTF(),
                    in.readUTF(),
                    in.readBoolean(),
                    in.readLong());
        }
    }

    private void mustBeWhole() throws IOException {
        byte[] expected = digest.digest();
        if (!Arrays.equals(in.readNBytes(expected.length), expected) || in.read() >= 0) {
            throw damaged();
        }
    }

    private BackupFileException damaged() {
        return new BackupFileException(
                file + " is damaged: its content is not what its checksum says.");
    }

    private ByteBuffer record() throws IOException {
        int length = ByteBuffer.wrap(bytes(Integer.BYTES)).getInt();
        if (length < 1) {
            throw damaged();
        }
        return ByteBuffer.wrap(bytes(length));
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        digest.update(bytes);
        return bytes;
    }
}
