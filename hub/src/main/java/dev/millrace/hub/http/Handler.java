package dev.millrace.hub.http;

import java.util.concurrent.CompletionStage;

/** What a route does with a request. */
public sealed interface Handler {

    /**
     * Plain code that may block, on a virtual thread of its own. The way nearly all are written.
     */
    record Blocking(Work work) implements Handler {}

    /** For the hottest routes: must not block, and answers through a future. */
    record Prompt(PromptWork work) implements Handler {}

    /** An answer without end, written whenever there is something: see {@link Stream}. */
    record Streaming(StreamWork work) implements Handler {}

    /** A WebSocket. */
    record Talking(TalkWork work) implements Handler {}

    /** Whether it stays as long as it likes, outside the limits of time and of number. */
    default boolean stays() {
        return this instanceof Streaming || this instanceof Talking;
    }

    /** Answers one request; what it throws becomes the answer too. */
    @FunctionalInterface
    interface Work {
        Answer answer(Request request) throws Exception;
    }

    /** Begins to answer one request. */
    @FunctionalInterface
    interface PromptWork {
        CompletionStage<Answer> answer(Request request);
    }

    /** Begins a stream, on a virtual thread of its own. */
    @FunctionalInterface
    interface StreamWork {
        void begin(Request request, Stream stream) throws Exception;
    }

    /** Begins a talk, on a virtual thread of its own. */
    @FunctionalInterface
    interface TalkWork {
        void begin(Request request, Talk talk) throws Exception;
    }
}
