package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Problem;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** Smaller bodies, where both sides want them and it is worth the work. */
final class Gzip {
    /** Below it fits into one packet anyway. */
    private static final int WORTH_IT = 1400;

    private static final Pattern TEXTS =
            Pattern.compile("text/|application/(\\w+\\+)?(json|javascript|xml)|image/svg");

    private Gzip() {}

    static boolean accepted(@Nullable String acceptEncoding) {
        if (acceptEncoding == null) {
            return false;
        }
        for (String each : acceptEncoding.split(",", -1)) {
            String[] parts = each.strip().split(";", 2);
            if (parts[0].strip().equalsIgnoreCase("gzip") || parts[0].strip().equals("*")) {
                return parts.length == 1 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    /** Pictures and archives are small already. */
    static boolean worthIt(Answer answer) {
        return answer.body() instanceof Answer.Body.Whole(byte[] bytes)
                && bytes.length >= WORTH_IT
                && answer.headers().stream().noneMatch(Gzip::speaksAgainst);
    }

    private static boolean speaksAgainst(Header header) {
        return header.name().equalsIgnoreCase("Content-Encoding")
                || (header.name().equalsIgnoreCase("Content-Type")
                        && !TEXTS.matcher(header.value()).lookingAt());
    }

    static Answer compressed(Answer answer) {
        if (!(answer.body() instanceof Answer.Body.Whole(byte[] plain))) {
            return answer;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Answer(
                        answer.status(), answer.headers(), new Answer.Body.Whole(out.toByteArray()))
                .with("Content-Encoding", "gzip")
                .with("Vary", "Accept-Encoding");
    }

    /** Unpacks a body that must not be larger than this; a small file may hide a huge one. */
    static byte[] plain(byte[] packed, long limit) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] plain = gzip.readNBytes((int) Math.min(limit + 1, Integer.MAX_VALUE - 8));
            if (plain.length > limit) {
                throw tooLarge(limit);
            }
            return plain;
        } catch (IOException e) {
            throw notGzip();
        }
    }

    /** The same while it is read. */
    static InputStream plain(InputStream body, @Nullable String encoding) throws IOException {
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return body;
        }
        if (!encoding.equalsIgnoreCase("gzip")) {
            throw Problem.of(Code.WRONG_ENCODING);
        }
        try {
            return new Unpacked(new GZIPInputStream(body));
        } catch (ZipException | EOFException e) {
            throw notGzip();
        }
    }

    /** What is cut or spoiled is found out while it is read, and is the sender's mistake. */
    private static final class Unpacked extends FilterInputStream {
        Unpacked(GZIPInputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (ZipException | EOFException e) {
                throw notGzip();
            }
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            try {
                return super.read(target, from, length);
            } catch (ZipException | EOFException e) {
                throw notGzip();
            }
        }

        @Override
        public long skip(long count) throws IOException {
            try {
                return super.skip(count);
            } catch (ZipException | EOFException e) {
                throw notGzip();
            }
        }
    }

    private static Problem notGzip() {
        return Problem.of(
                Code.BAD_BODY, "The body is not the gzip that its header says, or not all of it.");
    }

    static Problem tooLarge(long limit) {
        return Problem.of(
                Code.TOO_LARGE,
                "The body is larger than the %d bytes this path takes.".formatted(limit));
    }
}
