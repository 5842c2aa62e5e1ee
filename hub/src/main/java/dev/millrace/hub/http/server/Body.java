package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;

import io.vertx.core.buffer.Buffer;

import org.jspecify.annotations.Nullable;

/** The body of a request while it arrives, up to a limit and as long as there is memory for it. */
final class Body {
    /** So much of a body is outside the budget, so that small ones arrive whatever others send. */
    private static final long FREE_BYTES = 8 << 10;

    private static final byte[] EMPTY = {};

    /** What became of a piece. */
    enum Added {
        TAKEN,
        TOO_LARGE,
        /** The bodies of all requests together are too large. */
        NO_ROOM
    }

    private final long limit;
    private final Budget budget;

    /** What it has of the budget. */
    private long taken;

    private @Nullable Buffer bytes;
    private boolean ours;

    Body(long limit, Budget budget) {
        this.limit = limit;
        this.budget = budget;
    }

    long limit() {
        return limit;
    }

    long length() {
        return bytes == null ? 0 : bytes.length();
    }

    Added add(Buffer chunk) {
        Buffer before = bytes;
        Buffer all;
        if (before == null) {
            // Most bodies are one piece, and that one is never copied here.
            all = chunk;
        } else if (ours) {
            all = before.appendBuffer(chunk);
        } else {
            all = Buffer.buffer(before.length() + chunk.length());
            all.appendBuffer(before).appendBuffer(chunk);
            ours = true;
        }
        bytes = all;
        if (all.length() > limit) {
            return Added.TOO_LARGE;
        }
        return affords(all.length()) ? Added.TAKEN : Added.NO_ROOM;
    }

    private boolean affords(long length) {
        long more = length - FREE_BYTES - taken;
        if (more > 0) {
            if (!budget.take(more)) {
                return false;
            }
            taken += more;
        }
        return true;
    }

    /** Leaves its part of the budget to others. */
    void giveBack() {
        if (taken > 0) {
            budget.giveBack(taken);
            taken = 0;
        }
    }

    /** All of it, unpacked. */
    byte[] plain(@Nullable String encoding) {
        byte[] whole = bytes == null ? EMPTY : bytes.getBytes();
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return whole;
        }
        if (encoding.equalsIgnoreCase("gzip")) {
            return Gzip.plain(whole, limit);
        }
        throw Problem.of(Code.WRONG_ENCODING);
    }
}
