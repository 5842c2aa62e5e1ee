package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * All that one server holds at one moment, as it sends it to a new replica: the server forks, and
 * goes on serving while its copy writes. No file of the server is needed, and it works from any
 * machine that may connect. Nothing is replicated afterwards ({@code rdb-only}).
 *
 * <p>What {@link #read} gives is in the snapshot format of the server; it does not end by itself,
 * because a server that writes straight to us does not know the length beforehand. Whoever reads
 * the format knows its end, and then calls {@link #finish}.
 */
public final class Snapshot extends InputStream {
    /**
     * How long the server may be silent: while it prepares it sends an empty line every ten
     * seconds, so this is a server that has stopped.
     */
    private static final Duration SILENCE = Duration.ofSeconds(90);

    /** Behind a snapshot of unknown length comes a mark of this many bytes. */
    private static final int MARK = 40;

    /**
     * A port that nobody has. Sentinels read a primary's list of replicas, and would remember us
     * for ever; an address that cannot be, they leave out.
     */
    private static final String NO_PORT = "65536";

    private final Endpoint endpoint;
    private final Wire wire;

    /** Bytes left of a snapshot whose length was told; -1 if there is a mark instead. */
    private long left;

    private byte[] mark = {};

    Snapshot(Endpoint endpoint, RedisOptions options, Watchdog watchdog) {
        this.endpoint = endpoint;
        this.wire = Wire.open(endpoint, options, watchdog);
        boolean began = false;
        try {
            begin();
            began = true;
        } catch (BrokenWireException e) {
            throw lost(e);
        } finally {
            if (!began) {
                wire.close();
            }
        }
    }

    private void begin() {
        wire.expectWithin(SILENCE.toNanos());
        must("REPLCONF", "listening-port", NO_PORT);
        must("REPLCONF", "capa", "eof", "rdb-only", "1");
        wire.write(new byte[][] {Wire.ascii("SYNC")});
        wire.flush();
        int first = wire.readByte();
        while (first == '\n') {
            wire.expectWithin(SILENCE.toNanos());
            first = wire.readByte();
        }
        String line = line();
        if (first != '$') {
            throw first == '-'
                    ? new ErrorReply(line).asException()
                    : new RedisException(
                            Reason.ERROR, "Redis at " + endpoint + " sends no snapshot: " + line);
        }
        if (line.startsWith("EOF:")) {
            left = -1;
            mark = line.substring("EOF:".length()).getBytes(StandardCharsets.US_ASCII);
        } else {
            left = Long.parseLong(line);
        }
    }

    private void must(String... command) {
        if (wire.exchange(command) instanceof ErrorReply error) {
            throw error.asException();
        }
    }

    private String line() {
        StringBuilder line = new StringBuilder();
        for (int c = wire.readByte(); c != '\n'; c = wire.readByte()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) {
        if (left == 0) {
            return -1;
        }
        try {
            wire.expectWithin(SILENCE.toNanos());
            int most = left < 0 ? length : (int) Math.min(length, left);
            int count = wire.readBytes(target, from, most);
            left -= left < 0 ? 0 : count;
            wire.expectNothing();
            return count;
        } catch (BrokenWireException e) {
            throw lost(e);
        }
    }

    /**
     * Proves that the server is at its end too, and closes the connection.
     *
     * @param behind what was read behind the end of the format
     */
    public void finish(byte[] behind) {
        boolean whole = left == 0 && behind.length == 0;
        if (left < 0 && behind.length <= MARK && mark.length == MARK) {
            byte[] told = Arrays.copyOf(behind, MARK);
            for (int at = behind.length; at < MARK; ) {
                int count = read(told, at, MARK - at);
                at += count;
            }
            whole = Arrays.equals(told, mark);
        }
        close();
        if (!whole) {
            throw new RedisException(
                    Reason.ERROR, "The snapshot of Redis at " + endpoint + " has no end.");
        }
    }

    private RedisException lost(BrokenWireException e) {
        return new RedisException(
                Reason.UNAVAILABLE,
                "Redis at %s broke off its snapshot (%s). Its log says why; often there is too"
                                .formatted(endpoint, e.getMessage())
                        + " little memory for a copy of it (vm.overcommit_memory).",
                e);
    }

    @Override
    public void close() {
        wire.close();
    }
}
