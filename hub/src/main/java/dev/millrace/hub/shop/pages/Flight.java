package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Failure;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** One request to the application for which all others in this hub wait. Thread-safe. */
final class Flight {
    /** What those who waited do then. */
    enum Landing {
        /** There is something new in the cache. */
        LOOK_AGAIN,
        /** What came is not for them, and never will be. */
        ASK_YOURSELF,
        /** There is no answer. */
        NOTHING
    }

    final String hash;
    final CompletableFuture<Landing> landing = new CompletableFuture<>();
    private final Map<String, Brought> brought = new ConcurrentHashMap<>();
    private volatile Failure failure = Failure.BROKEN;

    /** What came, before how many purges had passed. */
    private record Brought(Near.Copy copy, long since) {}

    Flight(String hash) {
        this.hash = hash;
    }

    /** Who waits gets it, even if there is no room for it among the copies of this process. */
    void brings(String key, Near.Copy copy, long since) {
        brought.put(key, new Brought(copy, since));
    }

    /**
     * What came under a hash.
     *
     * @param purges how many there have been by now
     */
    Near.@Nullable Copy brought(String key, long purges) {
        Brought one = brought.get(key);
        return one == null || one.since() != purges ? null : one.copy();
    }

    /** Why there is nothing. */
    Failure failure() {
        return failure;
    }

    void failed(Failure why) {
        failure = why;
    }
}
