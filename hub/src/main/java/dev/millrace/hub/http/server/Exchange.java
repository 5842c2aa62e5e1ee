package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Cors;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Method;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.RequestId;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.Stream;
import dev.millrace.hub.http.Talk;

import dev.millrace.hub.access.Caller;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The way of one request, from its headers to its answer: {@link Arrival} finds the route, lets the
 * caller in and takes the body; here the work is done and answered. All of it on the connection's
 * event loop, except the work itself, which may block and has a virtual thread; so the fields need
 * no lock, and a deadline that strikes while the work goes on is a step like any other.
 */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);

    private static final int OK = 200;
    private static final int SWITCHED = 101;

    /** For the figures: nobody was left to be answered. */
    private static final int CLOSED_BY_CLIENT = 499;

    /**
     * Of a body that is refused. Whoever sends more is cut off and may lose our answer with it, so
     * it is a few times what any route takes.
     */
    private static final long IGNORED_BYTES = 64 << 20;

    /** So much of a body is outside the budget, so that small ones arrive whatever others send. */
    private static final long FREE_BYTES = 8 << 10;

    private enum Stage {
        /** The body is not complete. */
        ARRIVING,
        /** Redis is being asked who this is. */
        ASKING,
        /** A handler is at work, and has so much time. */
        WORKING,
        /** A handler is at work and may take as long as it likes. */
        STAYING,
        /** The client is taking a large answer. */
        SENDING,
        /** Answered, or the caller has gone. */
        OVER
    }

    final Loop.Connection connection;
    private final Loop loop;
    private final Front front;
    private final HttpServerRequest raw;
    private final HttpServerResponse response;
    private final String id;
    private final long began = System.nanoTime();

    private Stage stage = Stage.ARRIVING;
    private long since = began;
    private String path = "";
    private @Nullable Method method;
    private @Nullable Owner owner;
    private RouteTable.Match.@Nullable Found match;
    private @Nullable Thread worker;

    /** What a handler without a thread has promised. */
    private @Nullable CompletableFuture<Answer> promised;

    private @Nullable ArrivingBody arriving;
    private @Nullable Stream stream;
    private @Nullable Talk talk;
    private @Nullable Pieces pieces;

    /** Whether it counts as in flight; until its handler has come back, also if nobody waits. */
    private boolean counted;

    /** Whether a thread of ours is with the handler. */
    private boolean atWork;

    /** What its body takes of the budget. */
    private long taken;

    private boolean lastOfConnection;

    Exchange(Loop loop, Loop.Connection connection, HttpServerRequest raw) {
        this.loop = loop;
        this.front = loop.front;
        this.connection = connection;
        this.raw = raw;
        this.response = raw.response();
        this.id = RequestId.of(raw.getHeader(RequestId.HEADER));
    }

    // ------------------------------------------------------------------ arriving

    /**
     * The head is there. A client may send many requests before it takes the first answer; the
     * library hands over the next only when the answer before it was written, so that no more than
     * one waits in our memory.
     */
    void arrived() {
        response.exceptionHandler(failure -> gone());
        response.closeHandler(closed -> gone());
        new Arrival(this, front, raw).begin();
    }

    /** What is asked for, as far as that can be understood. */
    void asks(@Nullable Method askedMethod, String askedPath) {
        method = askedMethod;
        path = askedPath;
    }

    void found(RouteTable.Match.Found found) {
        match = found;
        owner = found.entry().owner();
    }

    boolean isArriving() {
        return stage == Stage.ARRIVING;
    }

    boolean isAsking() {
        return stage == Stage.ASKING;
    }

    /** Redis is asked who this is, or has answered. */
    void asking(boolean now) {
        enter(now ? Stage.ASKING : Stage.ARRIVING);
    }

    /** Whether there is memory for what has arrived so far. */
    boolean affords(Body body) {
        long more = body.length() - FREE_BYTES - taken;
        if (more > 0) {
            if (!front.bodies.take(more)) {
                return false;
            }
            taken += more;
        }
        return true;
    }

    private void enter(Stage next) {
        stage = next;
        since = System.nanoTime();
    }

    // ------------------------------------------------------------------ working

    /** All of it is there. */
    void begin(Route route, InetAddress peer, Caller caller, Body body) {
        try {
            work(route, peer, caller, body);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void work(Route route, InetAddress peer, Caller caller, Body body) {
        if (!route.stays()) {
            counted = true;
            if (front.inFlight.incrementAndGet() > front.settings.maxInFlight()) {
                fail(Problem.retryable(Code.OVERLOADED));
                return;
            }
        }
        enter(route.stays() ? Stage.STAYING : Stage.WORKING);
        String encoding = raw.getHeader(HttpHeaders.CONTENT_ENCODING);
        switch (route.handler()) {
            case Handler.Blocking(var work) -> {
                atWork = true;
                // Unpacked there too: it takes a while, and others wait for this thread.
                worker =
                        Thread.startVirtualThread(
                                () -> block(work, () -> request(peer, caller, body, encoding)));
            }
            case Handler.Receiving(var work) ->
                    receive(work, request(peer, caller, body, null), encoding);
            case Handler.Prompt(var work) -> prompt(work, request(peer, caller, body, encoding));
            case Handler.Streaming(var work) -> stream(work, request(peer, caller, body, encoding));
            case Handler.Talking(var work) -> talk(work, request(peer, caller, body, encoding));
        }
    }

    private Request request(InetAddress peer, Caller caller, Body body, @Nullable String encoding) {
        return new Request(
                id,
                Objects.requireNonNull(match),
                path,
                raw,
                connection.peer,
                peer,
                caller,
                body.plain(encoding));
    }

    private void block(Handler.Work work, Supplier<Request> request) {
        ScopedValue.where(RequestId.CURRENT, id)
                .run(
                        () -> {
                            try {
                                deliver(work.answer(request.get()));
                            } catch (Throwable e) {
                                onLoop(
                                        () -> {
                                            atWork = false;
                                            fail(e);
                                        });
                            }
                        });
    }

    private void receive(Handler.ReceiveWork work, Request request, @Nullable String encoding) {
        ArrivingBody body = new ArrivingBody(raw, loop, front.settings.bodyTimeOut());
        arriving = body;
        body.listen();
        atWork = true;
        worker =
                Thread.startVirtualThread(
                        () ->
                                block(
                                        plain -> work.answer(plain, Gzip.plain(body, encoding)),
                                        () -> request));
    }

    /** On a thread that may wait. */
    private void deliver(@Nullable Answer given) throws IOException {
        Answer answer = packed(Objects.requireNonNull(given, "A handler gave no answer."));
        if (answer.body() instanceof Answer.Body.Streamed(var writer)) {
            send(answer, writer);
        } else {
            onLoop(
                    () -> {
                        atWork = false;
                        answer(answer);
                    });
        }
    }

    private Answer packed(Answer answer) {
        return Gzip.worthIt(answer) && Gzip.accepted(raw.getHeader(HttpHeaders.ACCEPT_ENCODING))
                ? Gzip.compressed(answer)
                : answer;
    }

    /** The handler's thread writes as fast as the caller reads. */
    private void send(Answer answer, Answer.Writer writer) throws IOException {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        onLoop(() -> begun.complete(beginsStreaming(answer)));
        if (begun.join()) {
            StreamedBody out =
                    new StreamedBody(loop.context, response, front.settings.requestTimeOut());
            writer.write(out);
            out.finish();
        }
        onLoop(
                () -> {
                    atWork = false;
                    if (arriving != null && !raw.isEnded()) {
                        ignoreRest();
                    }
                    over(answer.status());
                });
    }

    /** False if nobody wants the body: somebody else answered meanwhile, or it is for a HEAD. */
    private boolean beginsStreaming(Answer answer) {
        if (stage != Stage.WORKING && stage != Stage.STAYING) {
            return false;
        }
        decorate();
        Replies.head(response, answer);
        if (method == Method.HEAD) {
            response.end();
            return false;
        }
        response.setChunked(true);
        enter(Stage.STAYING);
        // It takes as long as the client likes; a place among those at work is not for that.
        uncount();
        return true;
    }

    private void prompt(Handler.PromptWork work, Request request) {
        try {
            CompletionStage<Answer> answering = work.answer(request);
            promised = answering.toCompletableFuture();
            answering.whenComplete(
                    (answer, failure) ->
                            onLoop(
                                    () -> {
                                        if (failure == null) {
                                            prompted(answer);
                                        } else {
                                            fail(failure);
                                        }
                                    }));
        } catch (Throwable e) {
            // Errors too: whatever it is, somebody waits for an answer.
            fail(e);
        }
    }

    private void prompted(@Nullable Answer answer) {
        if (answer == null
                || answer.body() instanceof Answer.Body.Streamed
                || Gzip.worthIt(answer)) {
            worker =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    deliver(answer);
                                } catch (Throwable e) {
                                    onLoop(() -> fail(e));
                                }
                            });
        } else {
            answer(answer);
        }
    }

    private void stream(Handler.StreamWork work, Request request) {
        decorate();
        Stream opened = new Stream(response, loop, () -> onLoop(this::streamed));
        stream = opened;
        worker =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                work.begin(request, opened);
                            } catch (Throwable e) {
                                onLoop(() -> fail(e));
                            }
                        });
    }

    private void streamed() {
        if (response.ended()) {
            over(OK);
        } else {
            // It was cut by its writer; the library alone would wait for the client to read first.
            breakOff();
        }
    }

    private void talk(Handler.TalkWork work, Request request) {
        Upgrade.begin(
                raw,
                loop,
                new Upgrade.Outcome() {
                    @Override
                    public void refused(Problem why) {
                        fail(why);
                    }

                    @Override
                    public void answered() {
                        over(Code.BAD_REQUEST.status());
                    }

                    @Override
                    public void open(Talk opened) {
                        if (stage == Stage.OVER) {
                            // The client was quicker; nothing has begun, and nothing will.
                            connection.cut();
                            return;
                        }
                        talk = opened;
                        Thread.startVirtualThread(() -> Exchange.begin(work, request, opened));
                    }

                    @Override
                    public void closed() {
                        over(SWITCHED);
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
                log.error("A talk could not begin. request={}", request.id(), e);
                talk.close(Talk.Why.TRY_LATER, Code.INTERNAL.sentence());
            }
        }
    }

    void fail(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        if (cause instanceof Refusal refusal) {
            answer(refusal.answer());
        } else {
            fail(problem(cause));
        }
    }

    private Problem problem(Throwable cause) {
        Problem problem =
                switch (cause) {
                    case Problem known -> known;
                    case RedisException redis -> Problem.of(redis);
                    // Nobody is left to be told; it is no mistake of ours either.
                    case StreamedBody.GoneException gone -> Problem.of(Code.TOO_SLOW);
                    default -> Problem.of(Code.INTERNAL);
                };
        if (problem.code() == Code.INTERNAL && stage != Stage.OVER) {
            // The path as it was sent: decoded, it could end the line and begin another.
            log.error("A request failed. request={} path={}", id, raw.path(), cause);
        }
        return problem;
    }

    // ------------------------------------------------------------------ answering

    void onLoop(Runnable step) {
        try {
            loop.run(step);
        } catch (RejectedExecutionException e) {
            // The server has stopped without waiting any longer; nobody is left to be told.
            log.debug("Too late for an answer. request={}", id);
        }
    }

    Owner owner() {
        Owner known = owner;
        if (known == null) {
            known = front.table.owner(path);
            owner = known;
        }
        return known;
    }

    /** What pages of other sites may do at this path. */
    Cors cors() {
        return owner().cors().orElse(front.cors);
    }

    void fail(Problem problem) {
        answer(owner().errors().of(problem, path, id).with(problem.headers()));
    }

    void answer(Answer answer) {
        if (stage == Stage.OVER || stage == Stage.SENDING) {
            // Too late: it was answered in its place, or nobody waits any more.
            release();
            return;
        }
        if (response.headWritten()) {
            // Half of an answer must not look like all of it.
            breakOff();
        } else if (response.closed()) {
            over(answer.status());
        } else {
            try {
                write(answer);
            } catch (RuntimeException e) {
                // Such as a header that HTTP does not know how to write.
                log.error("An answer could not be written. request={}", id, e);
                breakOff();
            }
        }
    }

    private void write(Answer answer) {
        if ((stage == Stage.ARRIVING || stage == Stage.ASKING || arriving != null)
                && !raw.isEnded()) {
            ignoreRest();
        }
        decorate();
        if (answer.body() instanceof Answer.Body.Whole(byte[] bytes)
                && bytes.length > Pieces.PIECE
                && method != Method.HEAD) {
            writeLarge(answer, bytes);
        } else {
            Replies.send(response, answer, method == Method.HEAD);
            over(answer.status());
        }
    }

    private void writeLarge(Answer answer, byte[] bytes) {
        if (!front.answers.take(bytes.length)) {
            fail(
                    Problem.retryable(
                            Code.OVERLOADED,
                            "Too many large answers wait for their clients; try again.",
                            Duration.ofSeconds(1)));
            return;
        }
        enter(Stage.SENDING);
        release();
        pieces = new Pieces(response, bytes, () -> over(answer.status()));
        Replies.head(response, answer);
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length));
        pieces.send();
    }

    /** Ends the connection, or the one stream of it, so that nobody takes a part for the whole. */
    private void breakOff() {
        if (raw.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            connection.cut();
        }
        over(CLOSED_BY_CLIENT);
    }

    /**
     * The rest of a body nobody wants is read, up to a bound, so that a client that is still
     * sending comes to read our answer.
     */
    private void ignoreRest() {
        // One that wanted to be asked for its body may send it all the same, or go on with its next
        // request; nobody can tell.
        lastOfConnection = raw.getHeader(HttpHeaders.EXPECT) != null;
        long[] ignored = {0};
        raw.handler(
                chunk -> {
                    ignored[0] += chunk.length();
                    if (ignored[0] > IGNORED_BYTES) {
                        connection.cut();
                    }
                });
        raw.endHandler(ended -> {});
        raw.resume();
    }

    private void decorate() {
        Replies.decorate(response, owner(), id, match != null);
        if ((front.stopping || lastOfConnection) && raw.version() != HttpVersion.HTTP_2) {
            response.putHeader(HttpHeaders.CONNECTION, "close");
        }
        cors().headers(raw)
                .forEach(header -> response.headers().add(header.name(), header.value()));
    }

    /** The exchange has ended; a handler that is still at work counts until it comes back. */
    private void over(int status) {
        if (stage == Stage.OVER) {
            release();
            return;
        }
        stage = Stage.OVER;
        release();
        if (pieces != null) {
            front.answers.giveBack(pieces.size());
        }
        loop.finished(this);
        long nanos = System.nanoTime() - began;
        front.metrics.answered(match == null ? null : match.entry(), status, nanos);
        if (stream != null) {
            atEnd(stream::close);
        }
        if (talk != null) {
            atEnd(talk::closed);
        }
        atEnd(() -> note(status, nanos));
    }

    private void atEnd(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            log.error("A handler failed at the end of its connection. request={}", id, e);
        }
    }

    private void note(int status, long nanos) {
        if (match != null && match.entry().owner().calls().isOn()) {
            InetAddress peer = front.peers.caller(connection.peer, raw);
            match.entry()
                    .owner()
                    .calls()
                    .write(
                            raw.method().name(),
                            request(peer, Caller.NOBODY, new Body(0), null),
                            status,
                            nanos,
                            raw.bytesRead(),
                            response.bytesWritten());
        }
    }

    /** Gives back its place and its memory, unless a handler still has them. */
    private void release() {
        if (!atWork) {
            uncount();
            front.bodies.giveBack(taken);
            taken = 0;
        }
    }

    private void uncount() {
        if (counted) {
            counted = false;
            front.inFlight.decrementAndGet();
        }
    }

    /** The connection is closed. */
    private void gone() {
        boolean waits = stage == Stage.STAYING || (stage == Stage.WORKING && front.stopping);
        over(CLOSED_BY_CLIENT);
        if (waits) {
            // For news, and there is nobody any more to tell them to; or time is up.
            abandon();
        }
    }

    /** A deadline may have struck. */
    void look(long now) {
        switch (stage) {
            case ARRIVING -> {
                if (now - since > front.settings.bodyTimeOut().toNanos()) {
                    fail(Problem.of(Code.TOO_SLOW));
                    connection.end();
                }
            }
            case ASKING -> {
                if (now - since > front.settings.requestTimeOut().toNanos()) {
                    fail(Problem.retryable(Code.TIME_OUT));
                }
            }
            case WORKING -> {
                if (now - since > front.settings.requestTimeOut().toNanos()) {
                    fail(Problem.retryable(Code.TIME_OUT));
                    abandon();
                }
            }
            case SENDING -> {
                if (now - Objects.requireNonNull(pieces).moved()
                        > front.settings.bodyTimeOut().toNanos()) {
                    breakOff();
                }
            }
            case STAYING, OVER -> {}
        }
    }

    /** Nobody waits for the handler any more. */
    void abandon() {
        if (worker != null) {
            worker.interrupt();
        }
        if (promised != null) {
            promised.cancel(false);
        }
    }

    /** The hub stops: what would stay is asked to end, what works is waited for by the server. */
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
}
