package dev.millrace.hub.http;

import java.io.InputStream;
import java.util.concurrent.CompletionStage;

/** What a route does with a request. */
public sealed interface Handler {

    /**
     * Plain code that may block, on a virtual thread of its own. The way nearly all are written.
     */
    record Blocking(Work work) implements Handler {}

    /** For the hottest routes: must not block, and answers through a future. */
    record Prompt(PromptWork work) implements Handler {}

    /**
     * Plain code again, for bodies of any length: it reads while they arrive, and may write a
     * streamed answer at the same time.
     */
    record Receiving(ReceiveWork work) implements Handler {}

    /** An answer without end, written whenever there is something: see {@link Stream}. */
    record Streaming(StreamWork work) implements Handler {}

    /** A WebSocket. */
    record Talking(TalkWork work) implements Handler {}

    /** Whether it stays as long as it likes, outside the limits of time and of number. */
    default boolean stays() {
        return switch (this) {
            case Blocking work -> false;
            case Prompt work -> false;
            case Receiving work -> true;
            case Streaming work -> true;
            case Talking work -> true;
        };
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

    /** Answers one request whose body is still arriving; a read that waits too long throws. */
    @FunctionalInterface
    interface ReceiveWork {
        Answer answer(Request request, InputStream body) throws Exception;
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
