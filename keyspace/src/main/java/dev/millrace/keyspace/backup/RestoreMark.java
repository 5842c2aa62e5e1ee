package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;

import java.time.Instant;
import java.util.Optional;

/**
 * Says that a restore has begun and is not finished: whoever wants to work on this Redis must not.
 * It is the first thing that a restore writes and the last that it removes.
 */
public final class RestoreMark {
    static final String KEY = "millrace:restore";
    static final Cell CELL =
            Cell.of(KeyType.STRING, KEY)
                    .bookkeeping()
                    .about("A restore has begun and is not finished.");

    private final Ground ground;
    private final Place place;

    public RestoreMark(Ground ground) {
        this.ground = ground;
        this.place = ground.shards().place(Declaration.SITE);
    }

    public Optional<String> sentence() {
        Object mark = ground.redis().call(place.ask("GET", KEY));
        return mark == null
                ? Optional.empty()
                : Optional.of(
                        ("A restore into this Redis began at %s and was not finished, so what is in"
                                        + " it is incomplete. Empty it (FLUSHALL, or %s) and"
                                        + " restore again.")
                                .formatted(
                                        Replies.textOrEmpty(mark), EmbeddedServer.OTHER_DIRECTORY));
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
        if (ground.redis().call(set) == null) {
            throw new BackupException(sentence().orElse("Another restore has just ended."));
        }
    }

    void remove() {
        ground.redis()
                .call(
                        Request.writing(place.order(), place.slot(), text("DEL"), place.key(KEY))
                                .twice());
    }
}
