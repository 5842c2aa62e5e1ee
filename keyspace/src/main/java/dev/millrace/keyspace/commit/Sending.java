package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** The way of one basket to Redis and back. */
record Sending(
        Redis redis, Request request, Answer answer, List<Consumer<Outcome<Long>>> watchers) {

    /** Sends it and waits. */
    Outcome<Long> run() {
        try {
            return settled(redis.call(request));
        } catch (RedisException e) {
            return Outcome.failed(e);
        }
    }

    /** The same without waiting. */
    CompletableFuture<Outcome<Long>> send() {
        try {
            return redis.send(request).handle(this::outcome);
        } catch (RedisException e) {
            return CompletableFuture.completedFuture(Outcome.failed(e));
        }
    }

    private Outcome<Long> outcome(@Nullable Object reply, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
        if (cause instanceof RedisException e) {
            return Outcome.failed(e);
        }
        if (cause != null) {
            return new Outcome.Unknown<>(String.valueOf(cause));
        }
        return settled(reply);
    }

    private Outcome<Long> settled(@Nullable Object reply) {
        Outcome<Long> outcome = answer.of(request, reply);
        for (Consumer<Outcome<Long>> watcher : watchers) {
            watcher.accept(outcome);
        }
        return outcome;
    }
}
