package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Scripts such as a room brings along, for the tests of {@link Keyspace#call}, {@link
 * Keyspace#callTogether} and {@link Keyspace#ask}. Doing them twice leaves two words, so that a
 * test can see how often each was done.
 */
final class CallScripts {
    static final Script NOTE = Script.of(CallScripts.class, "note");
    static final Script TOGETHER = Script.of(CallScripts.class, "together");
    static final Script SHORT = Script.of(CallScripts.class, "short");
    static final Script WORDS = Script.reading(CallScripts.class, "words");
    static final Script CLEAR = Script.emptying(CallScripts.class, "clear");

    private final Keyspace keyspace;

    CallScripts(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * What a call answered.
     *
     * @param word as it was sent
     * @param count how many words the owner had then
     * @param about the name of the list, or how many calls came together
     */
    record Noted(String word, long count, String about) {
        private static Noted of(@Nullable Object reply) {
            List<?> parts = Replies.list(reply);
            return new Noted(text(parts.get(0)), (Long) parts.get(1), text(parts.get(2)));
        }
    }

    private static List<Cell.Key> keys(String owner) {
        return List.of(Plant.QUEUE.at(owner), Plant.COUNTER.at(owner));
    }

    CompletableFuture<Noted> note(String owner, String word) {
        return keyspace.call(NOTE, keys(owner), word.getBytes(UTF_8)).thenApply(Noted::of);
    }

    CompletableFuture<Noted> noteTogether(String owner, String word) {
        return keyspace.callTogether(TOGETHER, keys(owner), word.getBytes(UTF_8))
                .thenApply(Noted::of);
    }

    CompletableFuture<@Nullable Object> answerTooLittle(String owner, String word) {
        return keyspace.callTogether(SHORT, keys(owner).subList(0, 1), word.getBytes(UTF_8));
    }

    CompletableFuture<List<String>> words(String owner) {
        return keyspace.ask(WORDS, keys(owner).subList(0, 1))
                .thenApply(reply -> Replies.list(reply).stream().map(CallScripts::text).toList());
    }

    CompletableFuture<@Nullable Object> clear(String owner) {
        return keyspace.ask(CLEAR, keys(owner).subList(0, 1));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
    }
}
