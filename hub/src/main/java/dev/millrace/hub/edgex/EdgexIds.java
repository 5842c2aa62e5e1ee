package dev.millrace.hub.edgex;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.keyspace.Shards;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/**
 * Ids of new things. A client may bring its own, and only a UUID of 36 characters: it becomes a
 * key, and any other text could be the key of something else.
 */
public final class EdgexIds {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private EdgexIds() {}

    /**
     * The id that was sent, or a new one that lives with this owner.
     *
     * @throws Problem if it is no UUID
     */
    public static String of(@Nullable String sent, String owner) {
        if (sent == null || sent.isEmpty()) {
            return Shards.mint(owner);
        }
        if (!UUID.matcher(sent).matches()) {
            throw Problem.of(
                    Code.BAD_BODY,
                    "The id must be a UUID of 36 characters; leave it away to get one.");
        }
        return sent;
    }
}
