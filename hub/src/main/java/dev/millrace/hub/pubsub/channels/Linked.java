package dev.millrace.hub.pubsub.channels;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Futures made from others, where whoever gives up the result gives up what it is made from: a poll
 * whose client has gone must not go on waiting. Java's own do not pass that on.
 */
public final class Linked {
    private Linked() {}

    /** The result, linked with what it is made from. */
    public static <A, B> CompletableFuture<B> of(
            CompletableFuture<A> from, CompletableFuture<B> result) {
        link(from, result);
        return result;
    }

    private static void link(CompletableFuture<?> from, CompletableFuture<?> result) {
        // Also if that was before: whoever has given up may have been quicker than this.
        watch(
                result,
                (value, failure) -> {
                    if (result.isCancelled()) {
                        from.cancel(false);
                    }
                });
    }

    /** What follows from a value, now if it is there. */
    public static <A, B> CompletableFuture<B> compose(
            CompletableFuture<A> from, Function<A, CompletableFuture<B>> next) {
        if (from.state() == Future.State.SUCCESS) {
            return next.apply(from.resultNow());
        }
        CompletableFuture<B> result = new CompletableFuture<>();
        watch(
                from,
                (value, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else if (!result.isDone()) {
                        // What nobody waits for any more need not begin.
                        follow(result, () -> next.apply(value));
                    }
                });
        return result;
    }

    private static <B> void follow(
            CompletableFuture<B> result, Supplier<CompletableFuture<B>> next) {
        try {
            CompletableFuture<B> following = next.get();
            watch(
                    following,
                    (value, failure) -> {
                        if (failure == null) {
                            result.complete(value);
                        } else {
                            result.completeExceptionally(failure);
                        }
                    });
            link(following, result);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    /** Looks at what becomes of it, and changes nothing. */
    public static <A> void watch(
            CompletionStage<A> stage, BiConsumer<A, @Nullable Throwable> action) {
        stage.whenComplete(action);
    }
}
