package dev.millrace.hub.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Values that go by themselves: results that are worked out, answers that were expensive. */
final class Temporary {
    private static final Script LOOK = Script.reading(Temporary.class, "look");

    private final Keyspace keyspace;

    Temporary(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * A value that is there.
     *
     * @param left empty if somebody has written it without a time to live, a moment ago
     */
    record Present(String value, Optional<Duration> left) {}

    /** Stores it together with its time to live. */
    void put(Cell.Key key, String value, Duration time) {
        keyspace.commitAt(key).set(key, value).expire(key, time).run().orThrow();
    }

    Optional<Present> get(Cell.Key key) {
        return wait(key) instanceof List<?> parts && parts.size() == 2
                ? Optional.of(present(parts))
                : Optional.empty();
    }

    private @Nullable Object wait(Cell.Key key) {
        try {
            return keyspace.ask(LOOK, List.of(key)).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RedisException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static Present present(List<?> parts) {
        long left = parts.get(1) instanceof Long millis ? millis : -1;
        return new Present(
                parts.get(0) instanceof byte[] bytes ? new String(bytes, UTF_8) : "",
                left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)));
    }

    /** False if it is not there. */
    boolean remove(Cell.Key key) {
        boolean there = get(key).isPresent();
        keyspace.commitAt(key).delete(key).run().orThrow();
        return there;
    }
}
