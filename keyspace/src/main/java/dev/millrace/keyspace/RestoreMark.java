package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Request;

import java.time.Instant;
import java.util.Optional;

/**
 * Says that a restore has begun and is not finished: whoever wants to work on this Redis must not.
 * It is the first thing that a restore writes and the last that it removes.
 */
final class RestoreMark {
    static final String KEY = "millrace:restore";

    private final Keyspace keyspace;
    private final Place place;

    RestoreMark(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.place = keyspace.shards().place(Shards.SITE);
    }

    Optional<String> sentence() {
        Object mark = keyspace.redis().call(Homes.read(place, KEY));
        return mark == null
                ? Optional.empty()
                : Optional.of(
                        ("A restore into this Redis began at %s and was not finished, so what is in"
                                        + " it is incomplete. Empty it (FLUSHALL, or another"
                                        + " data.dir) and restore again.")
                                .formatted(Replies.textOrEmpty(mark)));
    }

    void leave() {
        Request set =
                Request.writing(
                        place.order(),
                        place.slot(),
                        text("SET"),
                        place.key(KEY),
                        text(Instant.now().toString()),
                        text("NX"));
        if (keyspace.redis().call(set) == null) {
            throw new BackupException(sentence().orElse("Another restore has just ended."));
        }
    }

    void remove() {
        keyspace.redis()
                .call(
                        Request.writing(place.order(), place.slot(), text("DEL"), place.key(KEY))
                                .twice());
    }
}
