package dev.millrace.hub.pubsub;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Futures made from others, where whoever gives up the result gives up what it is made from: a poll
 * whose client has gone must not go on waiting. Java's own do not pass that on.
 */
final class Linked {
    private Linked() {}

    /** The result, linked with what it is made from. */
    static <A, B> CompletableFuture<B> of(CompletableFuture<A> from, CompletableFuture<B> result) {
        if (!result.isDone()) {
            result.whenComplete(
                    (value, failure) -> {
                        if (result.isCancelled()) {
                            from.cancel(false);
                        }
                    });
        }
        return result;
    }

    /** What follows from a value, now if it is there. */
    static <A, B> CompletableFuture<B> compose(
            CompletableFuture<A> from, Function<A, CompletableFuture<B>> next) {
        if (from.state() == Future.State.SUCCESS) {
            return next.apply(from.resultNow());
        }
        CompletableFuture<B> result = new CompletableFuture<>();
        from.whenComplete(
                (value, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                        return;
                    }
                    try {
                        CompletableFuture<B> following = next.apply(value);
                        of(following, result);
                        following.whenComplete(
                                (done, wrong) -> {
                                    if (wrong == null) {
                                        result.complete(done);
                                    } else {
                                        result.completeExceptionally(wrong);
                                    }
                                });
                    } catch (RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }
}
