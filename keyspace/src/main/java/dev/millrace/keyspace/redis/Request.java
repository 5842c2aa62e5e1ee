package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thing to be sent to Redis and the promise of its answer.
 *
 * <p>A request names the {@code order} it belongs to (a hash of its owner): requests of one order
 * use one lane and are executed in the order in which they were submitted. It also says whether it
 * may be sent a second time when the connection breaks before the answer ({@link #twice}).
 */
public final class Request {
    private static final Frame NONE = Frame.of();
    private static final int QUEUED = 0;
    private static final int SENT = 1;
    private static final int EXPIRED = 2;

    /** The script to call, or null for a plain command. */
    final @Nullable Script script;

    /** The script to call when every member of the group only removes things. */
    final @Nullable Script emptying;

    final Frame keys;
    final Frame args;
    final int order;
    final int slot;
    final boolean writes;
    final boolean grouped;
    final int bytes;
    final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

    private final AtomicInteger state = new AtomicInteger(QUEUED);
    private boolean twice;

    /** Whether it must not overtake others of its order, nor be overtaken. */
    boolean ordered;

    /** Whether it was sent before and the answer was lost: it may have been executed. */
    private boolean lostOnce;

    /** Set by the lane: it was executed, but fewer replicas than asked for have confirmed it. */
    boolean unconfirmed;

    /** Whether it has to travel in a call of its own; set after a group was not executed. */
    boolean alone;

    /** A cheaper form of the call, if all others of its group can take it too. */
    @Nullable Packing packing;

    /** Set by the lane: how often it was not executed, and when it may be sent again. */
    int attempts;

    long notBefore;
    long deadline;

    private Request(
            @Nullable Script script,
            @Nullable Script emptying,
            int order,
            int slot,
            Frame keys,
            Frame args,
            boolean writes,
            boolean grouped) {
        this.script = script;
        this.emptying = emptying;
        this.order = order;
        this.slot = slot;
        this.keys = keys;
        this.args = args;
        this.writes = writes;
        this.grouped = grouped;
        this.twice = !writes;
        this.ordered = writes;
        this.bytes = keys.content() + args.content();
    }

    /** A plain command that changes nothing. */
    public static Request reading(int order, int slot, byte[]... command) {
        return new Request(null, null, order, slot, NONE, Frame.of(command), false, false);
    }

    /** The same of words that are framed already. */
    public static Request reading(int order, int slot, Frame command) {
        return new Request(null, null, order, slot, NONE, command, false, false);
    }

    /** A plain command that writes. */
    public static Request writing(int order, int slot, byte[]... command) {
        return new Request(null, null, order, slot, NONE, Frame.of(command), true, false);
    }

    /** A call of a script. */
    public static Request script(
            Script script, int order, int slot, byte[][] keys, byte[]... args) {
        return new Request(
                script, null, order, slot, Frame.of(keys), Frame.of(args), !script.reads(), false);
    }

    /**
     * A call that may travel together with others of the same slot in one call of the script, which
     * takes their keys and arguments one after another and answers with a list, one item for each.
     *
     * @param emptying the same script for calls that only remove, or null when this one does not
     */
    public static Request grouped(
            Script script, @Nullable Script emptying, int order, int slot, Frame keys, Frame args) {
        return new Request(script, emptying, order, slot, keys, args, true, true);
    }

    /** May be sent again when the answer was lost: executing it twice changes nothing more. */
    public Request twice() {
        twice = true;
        return this;
    }

    /** May be executed before or after others of its order that nobody has waited for. */
    public Request unordered() {
        ordered = false;
        return this;
    }

    /** May travel in this form, if all others of its group may. */
    public Request packedBy(Packing form) {
        packing = form;
        return this;
    }

    public boolean mayBePacked() {
        return packing != null;
    }

    public Frame keys() {
        return keys;
    }

    public Frame args() {
        return args;
    }

    /** Keys and arguments. */
    int words() {
        return keys.words() + args.words();
    }

    boolean mayBeSentTwice() {
        return twice;
    }

    /** The script this request needs when it travels alone. */
    @Nullable Script ownScript() {
        return emptying != null ? emptying : script;
    }

    boolean markSent() {
        return state.compareAndSet(QUEUED, SENT);
    }

    void markQueued() {
        state.set(QUEUED);
    }

    /** To be sent again although the server may have executed it already. */
    void markLost() {
        lostOnce = true;
        state.set(QUEUED);
    }

    /** Whether the answer is about a second sending, and the first may have been executed. */
    public boolean repeated() {
        return writes && lostOnce;
    }

    /** Whether what it wrote is as safe as was asked for; to be asked when it is answered. */
    public boolean confirmed() {
        return !unconfirmed;
    }

    /** Gives up waiting, unless it is already on its way; the caller has to {@link #fail} it. */
    boolean giveUp() {
        return state.compareAndSet(QUEUED, EXPIRED);
    }

    /** Gives up waiting, unless it is already on its way. */
    boolean expire(RedisException why) {
        if (giveUp()) {
            fail(why);
            return true;
        }
        return false;
    }

    /** Not executed this time; for a write that was sent before, that says nothing about then. */
    void fail(RedisException why) {
        answer.completeExceptionally(
                repeated() && !(why instanceof OutcomeUnknownException)
                        ? new OutcomeUnknownException(
                                "The answer to a first sending was lost, and the second failed: "
                                        + why.getMessage())
                        : why);
    }

    /** What is attached to it runs on the lane's thread and must not block. */
    public CompletableFuture<@Nullable Object> answer() {
        return answer;
    }

    /**
     * Waits for the answer. Needs no time-out of its own: the lane answers every request within
     * {@link RedisOptions#patience} and {@link RedisOptions#answerTime}.
     */
    public @Nullable Object await() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof OutcomeUnknownException unknown) {
                throw new OutcomeUnknownException(String.valueOf(unknown.getMessage()), unknown);
            }
            if (e.getCause() instanceof RedisException failure) {
                throw new RedisException(
                        failure.reason(), String.valueOf(failure.getMessage()), failure);
            }
            throw e;
        }
    }
}
