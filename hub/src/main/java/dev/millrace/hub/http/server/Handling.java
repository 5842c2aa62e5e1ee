package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.RequestId;
import dev.millrace.hub.http.Stream;
import dev.millrace.hub.http.Talk;

import io.vertx.core.http.HttpHeaders;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A handler at work on one complete request. It begins on the event loop; a handler that may block
 * has a virtual thread, and whatever it comes to is told to the {@link Outcome} on the event loop
 * again.
 */
final class Handling {
    private static final Logger log = LoggerFactory.getLogger(Handling.class);

    /**
     * A larger body keeps whoever reads it busy for so long that it is worth a thread, also for a
     * handler that waits for nothing: all other connections of the event loop would wait for it.
     */
    private static final int PROMPT_BYTES = 16 << 10;

    private static final int OK = 200;
    private static final int SWITCHED = 101;

    /**
     * What can become of it. Told on the event loop; after the first end, further ones are late.
     */
    interface Outcome {
        void answered(Answer answer);

        void failed(Throwable thrown);

        /** An answer that the handler writes itself begins; false if nobody wants it. */
        boolean begins(Answer streamed);

        /** The handler has written all that there was to write. */
        void written(int status);

        /** The handler has broken off what it was writing. */
        void broken();

        /** Whether nobody is left to be told anything. */
        boolean isOver();
    }

    private final Loop loop;
    private final Loop.Connection connection;
    private final Asked asked;
    private final Reply reply;
    private final Outcome outcome;

    private @Nullable Thread worker;

    /** What a handler without a thread has promised. */
    private @Nullable CompletableFuture<Answer> promised;

    private @Nullable ArrivingBody arriving;
    private @Nullable Stream stream;
    private @Nullable Talk talk;

    /** Whether a thread of ours is with the handler. */
    private boolean atWork;

    Handling(Loop loop, Loop.Connection connection, Asked asked, Reply reply, Outcome outcome) {
        this.loop = loop;
        this.connection = connection;
        this.asked = asked;
        this.reply = reply;
        this.outcome = outcome;
    }

    void begin(Arrived.Ready ready) {
        String encoding = asked.raw.getHeader(HttpHeaders.CONTENT_ENCODING);
        switch (ready.route().handler()) {
            // Unpacked there too: it takes a while, and others wait for this thread.
            case Handler.Blocking(var work) -> block(work, () -> request(ready, encoding));
            case Handler.Receiving(var work) -> receive(work, request(ready, null), encoding);
            case Handler.Prompt(var work) -> {
                if (encoding != null || ready.body().length() > PROMPT_BYTES) {
                    onThread(() -> promiseElsewhere(work, request(ready, encoding)));
                } else {
                    promise(work, request(ready, null));
                }
            }
            case Handler.Streaming(var work) -> stream(work, () -> request(ready, encoding));
            case Handler.Talking(var work) -> talk(work, request(ready, encoding));
        }
    }

    /** Whether a thread is still with it, also if nobody waits for what it will say. */
    boolean isAtWork() {
        return atWork;
    }

    /** Whether it reads the body of the request by itself. */
    boolean readsBody() {
        return arriving != null;
    }

    /** Nobody waits for it any more. */
    void abandon() {
        if (worker != null) {
            worker.interrupt();
        }
        if (promised != null) {
            promised.cancel(false);
        }
    }

    /** The hub stops: what would stay is asked to end. */
    void stop() {
        if (arriving != null) {
            arriving.stop(Problem.retryable(Code.STOPPING));
        }
        if (stream != null) {
            stream.stop();
        }
        if (talk != null) {
            talk.stop();
        }
    }

    /** The connection is no more, or belongs to the next request. */
    void over() {
        if (stream != null) {
            stream.close();
        }
        if (talk != null) {
            talk.closed();
        }
    }

    private Request request(Arrived.Ready ready, @Nullable String encoding) {
        return asked.request(ready.peer(), ready.caller(), ready.body().plain(encoding));
    }

    // ------------------------------------------------------------------ plain code

    private void block(Handler.Work work, Supplier<Request> request) {
        atWork = true;
        worker =
                Thread.startVirtualThread(
                        () ->
                                ScopedValue.where(RequestId.CURRENT, asked.id)
                                        .run(() -> answer(work, request)));
    }

    private void answer(Handler.Work work, Supplier<Request> request) {
        try {
            deliver(work.answer(request.get()));
        } catch (Throwable e) {
            cameBack(() -> outcome.failed(e));
        }
    }

    private void receive(Handler.ReceiveWork work, Request request, @Nullable String encoding) {
        ArrivingBody body = new ArrivingBody(asked.raw, loop, loop.front.settings.bodyTimeOut());
        arriving = body;
        body.listen();
        block(plain -> work.answer(plain, Gzip.plain(body, encoding)), () -> request);
    }

    /** On a thread that may wait. */
    private void deliver(@Nullable Answer given) throws IOException {
        Answer answer = reply.packed(Objects.requireNonNull(given, "A handler gave no answer."));
        if (!(answer.body() instanceof Answer.Body.Streamed(var writer, boolean atOnce))) {
            cameBack(() -> outcome.answered(answer));
        } else if (atOnce && !asked.isHead()) {
            writeAtOnce(answer, writer);
        } else {
            if (begins(answer)) {
                StreamedBody out = reply.body(() -> true);
                writer.write(out);
                out.finish();
            }
            cameBack(() -> written(answer));
        }
    }

    /** Whatever is wrong with the head is thrown here too, and becomes an answer. */
    private boolean begins(Answer answer) {
        return CompletableFuture.supplyAsync(() -> outcome.begins(answer), loop).join();
    }

    private void writeAtOnce(Answer answer, Answer.Writer writer) throws IOException {
        StreamedBody out = reply.body(() -> begins(answer));
        writer.write(out);
        if (out.hasBegun()) {
            out.finish();
            cameBack(() -> written(answer));
        } else {
            Answer.Body all = new Answer.Body.Whole(out.rest());
            cameBack(() -> outcome.answered(new Answer(answer.status(), answer.headers(), all)));
        }
    }

    private void cameBack(Runnable next) {
        loop.run(
                () -> {
                    atWork = false;
                    next.run();
                });
    }

    private void written(Answer answer) {
        if (arriving != null) {
            reply.ignoreRest();
        }
        outcome.written(answer.status());
    }

    // ------------------------------------------------------------------ promises

    private void promise(Handler.PromptWork work, Request request) {
        try {
            promised(work.answer(request));
        } catch (Throwable e) {
            // Errors too: whatever it is, somebody waits for an answer.
            outcome.failed(e);
        }
    }

    private void promiseElsewhere(Handler.PromptWork work, Request request) {
        CompletionStage<Answer> answering = work.answer(request);
        loop.run(() -> promised(answering));
    }

    private void promised(CompletionStage<Answer> answering) {
        promised = answering.toCompletableFuture();
        if (outcome.isOver()) {
            // The client left, or the time was over, while there was nothing to be cancelled yet.
            promised.cancel(false);
        }
        answering.whenComplete(
                (answer, failure) ->
                        loop.run(
                                () -> {
                                    if (failure == null) {
                                        kept(answer);
                                    } else {
                                        outcome.failed(failure);
                                    }
                                }));
    }

    private void kept(@Nullable Answer answer) {
        if (answer == null
                || answer.body() instanceof Answer.Body.Streamed
                || Gzip.worthIt(answer)) {
            onThread(() -> deliver(answer));
        } else {
            outcome.answered(answer);
        }
    }

    private interface Step {
        void take() throws Exception;
    }

    private void onThread(Step step) {
        worker =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                step.take();
                            } catch (Throwable e) {
                                loop.run(() -> outcome.failed(e));
                            }
                        });
    }

    // ------------------------------------------------------------------ streams and talks

    private void stream(Handler.StreamWork work, Supplier<Request> request) {
        Stream opened = reply.stream(this::streamed);
        stream = opened;
        onThread(() -> work.begin(request.get(), opened));
    }

    private void streamed() {
        if (reply.isEnded()) {
            outcome.written(OK);
        } else {
            // It was cut by its writer; the library alone would wait for the client to read first.
            outcome.broken();
        }
    }

    private void talk(Handler.TalkWork work, Request request) {
        Upgrade.begin(
                asked.raw,
                loop,
                new Upgrade.Outcome() {
                    @Override
                    public void refused(Problem why) {
                        outcome.failed(why);
                    }

                    @Override
                    public void answered() {
                        outcome.written(Code.BAD_REQUEST.status());
                    }

                    @Override
                    public void open(Talk opened) {
                        if (outcome.isOver()) {
                            // The client was quicker; nothing has begun, and nothing will.
                            connection.cut();
                            return;
                        }
                        talk = opened;
                        Thread.startVirtualThread(() -> Handling.begin(work, request, opened));
                    }

                    @Override
                    public void closed() {
                        outcome.written(SWITCHED);
                        // The handler of the connection is not called any more.
                        loop.left(connection);
                    }
                });
    }

    private static void begin(Handler.TalkWork work, Request request, Talk talk) {
        try {
            work.begin(request, talk);
        } catch (Problem | Refusal refusal) {
            talk.close(Talk.Why.NOT_UNDERSTOOD, String.valueOf(refusal.getMessage()));
        } catch (Throwable e) {
            // Nothing can be said or heard on a socket whose client has left meanwhile.
            if (!talk.isOver()) {
                log.error("A WebSocket handler could not start. request={}", request.id(), e);
                talk.close(Talk.Why.TRY_LATER, Code.INTERNAL.sentence());
            }
        }
    }
}
