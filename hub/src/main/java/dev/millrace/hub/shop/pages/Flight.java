package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Failure;

import java.util.concurrent.CompletableFuture;

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
    private volatile Failure failure = Failure.BROKEN;

    Flight(String hash) {
        this.hash = hash;
    }

    /** Why there is nothing. */
    Failure failure() {
        return failure;
    }

    void failed(Failure why) {
        failure = why;
    }
}
