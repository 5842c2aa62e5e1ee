package dev.millrace.hub.documents.kept;

import net.openhft.hashing.LongTupleHashFunction;

import java.util.HexFormat;

/**
 * Which content a document has: a fingerprint of its bytes. Nothing has to be stored for it, a
 * document that others have written has one too, and what was changed and changed back is the same
 * again. As {@code ETag} it stands in quotes.
 */
public record Revision(long high, long low) {
    private static final LongTupleHashFunction HASH = LongTupleHashFunction.xx128();

    public static Revision of(byte[] json) {
        long[] hash = new long[2];
        HASH.hashBytes(json, hash);
        return new Revision(hash[1], hash[0]);
    }

    public String tag() {
        return "\"" + this + "\"";
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
