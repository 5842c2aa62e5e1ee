package dev.millrace.hub.documents.kept;

import dev.millrace.hub.http.Utf8;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Whether what lies under a key is a document at all. Others may write there, and what we hand on
 * goes into the middle of an answer without being parsed, where half a document would spoil all of
 * it. So each content is looked at once, and known by its revision from then on: a table of
 * fingerprints, in which a newer one simply takes the place of an older one. Thread-safe.
 */
final class Soundness {
    private static final int SIZE = 1 << 14;

    /** The empty places hold 0, which is therefore the fingerprint of nothing. */
    private final AtomicLongArray known = new AtomicLongArray(SIZE);

    boolean isSound(byte[] json, Revision revision) {
        long print = revision.low();
        int at = (int) (print & (SIZE - 1));
        if (print != 0 && known.get(at) == print) {
            return true;
        }
        boolean sound = isObject(json);
        if (sound) {
            known.set(at, print);
        }
        return sound;
    }

    static boolean isObject(byte[] json) {
        if (json.length < 2 || !Utf8.isText(json)) {
            return false;
        }
        try (JsonParser parser = Document.MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }
}
