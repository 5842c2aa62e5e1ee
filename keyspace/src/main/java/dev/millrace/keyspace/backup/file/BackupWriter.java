package dev.millrace.keyspace.backup.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a backup file. All of it is one gzip stream: the word {@code MILLRACE BACKUP}, a line end,
 * the version of the format, then records, each with its length before it. The first is the {@link
 * BackupHead}; then come parts of keys ({@link Held}), in any order, but those of one key in
 * theirs; then the {@link BackupEnd}. The last 32 bytes are the SHA-256 of all bytes before them.
 *
 * <p>Parts may come from several threads.
 */
public final class BackupWriter implements AutoCloseable {
    static final byte[] MAGIC = "MILLRACE BACKUP\n".getBytes(US_ASCII);
    static final int VERSION = 1;
    static final char HEAD = 'H';
    static final char PART = 'P';
    static final char END = 'E';

    private final ReentrantLock lock = new ReentrantLock();
    private final Fast out;
    private final MessageDigest digest;

    /** The stream is not closed by this class. */
    public BackupWriter(OutputStream target, BackupHead head) {
        try {
            digest = sha256();
            out = new Fast(target);
            write(MAGIC);
            write(ByteBuffer.allocate(Integer.BYTES).putInt(VERSION).array());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream data = new DataOutputStream(bytes)) {
                data.writeLong(head.made().toEpochMilli());
                data.writeUTF(head.by());
                data.writeUTF(head.server());
                data.writeBoolean(head.cluster());
                data.writeLong(head.keysAbout());
            }
            record(HEAD, bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write(Held held) {
        try {
            record(PART, HeldCodec.encode(held));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the last record; nothing may follow. */
    public void end(BackupEnd end) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(5 * Long.BYTES);
            bytes.putLong(end.keys()).putLong(end.elements()).putLong(end.sequence());
            bytes.putLong(end.checksum().high()).putLong(end.checksum().low());
            record(END, bytes.array());
            out.write(digest.digest());
            out.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void record(char kind, byte[] bytes) throws IOException {
        lock.lock();
        try {
            write(ByteBuffer.allocate(Integer.BYTES).putInt(1 + bytes.length).array());
            write(new byte[] {(byte) kind});
            write(bytes);
        } finally {
            lock.unlock();
        }
    }

    private void write(byte[] bytes) throws IOException {
        digest.update(bytes);
        out.write(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Frees what compressing needs; without {@link #end} the file is not whole. */
    @Override
    public void close() {
        out.free();
    }

    /** The server waits for us with its memory held twice: time matters more than size. */
    private static final class Fast extends GZIPOutputStream {
        Fast(OutputStream target) throws IOException {
            super(target, 64 * 1024);
            def.setLevel(Deflater.BEST_SPEED);
        }

        void free() {
            def.end();
        }
    }
}
