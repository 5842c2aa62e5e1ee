package dev.millrace.hub.http;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.keyspace.redis.RedisException;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * The way of one request, from its headers to its answer: find the route, let the caller in, take
 * the body, do the work, answer. All of it on the connection's event loop, except the work itself,
 * which may block and has a virtual thread; so the fields need no lock, and a deadline that strikes
 * while the work goes on is a step like any other.
 */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);

    private static final int OK = 200;
    private static final int SWITCHED = 101;

    /** For the figures: nobody was left to be answered. */
    private static final int CLOSED_BY_CLIENT = 499;

    private static final long IGNORED_BYTES = 1 << 20;

    private enum Stage {
        /** The body is not complete. */
        ARRIVING,
        /** A handler is at work, and has so much time. */
        WORKING,
        /** A handler is at work and may take as long as it likes. */
        STAYING,
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
    private String path = "";
    private @Nullable Method method;
    private @Nullable Owner owner;
    private RouteTable.Match.@Nullable Found match;
    private @Nullable Thread worker;
    private @Nullable Stream stream;
    private @Nullable Talk talk;

    /** Whether it counts as in flight; until its handler has come back, also if nobody waits. */
    private boolean counted;

    Exchange(Loop loop, Loop.Connection connection, HttpServerRequest raw) {
        this.loop = loop;
        this.front = loop.front;
        this.connection = connection;
        this.raw = raw;
        this.response = raw.response();
        this.id = RequestId.of(raw.getHeader(RequestId.HEADER));
    }

    // ------------------------------------------------------------------ arriving

    void begin() {
        response.exceptionHandler(failure -> gone());
        response.closeHandler(closed -> gone());
        String decoded = PathText.decode(Optional.ofNullable(raw.path()).orElse(""), false);
        path = decoded == null ? String.valueOf(raw.path()) : decoded;
        method = Method.of(raw.method().name()).orElse(null);
        if (decoded == null || !decoded.startsWith("/")) {
            fail(Problem.of(Code.BAD_PATH));
            return;
        }
        Optional<Answer> preflight = front.cors.preflight(raw, method);
        if (preflight.isPresent()) {
            answer(preflight.get());
            return;
        }
        switch (front.table.find(method, path)) {
            case RouteTable.Match.Found found -> found(found);
            case RouteTable.Match.OtherMethods(var allowed) -> {
                Problem problem = Problem.of(Code.METHOD_NOT_ALLOWED);
                fail(
                        owner().allowsOnErrors()
                                ? problem.with(new Header("Allow", String.join(", ", allowed)))
                                : problem);
            }
            case RouteTable.Match.Nothing() -> nothing();
        }
    }

    private void nothing() {
        String without = path.endsWith("/") ? path.substring(0, path.length() - 1) : "";
        if (owner().redirectsSlash()
                && !without.isEmpty()
                && !(front.table.find(method, without) instanceof RouteTable.Match.Nothing)) {
            String target = raw.uri().replaceFirst("/(\\?|$)", "$1");
            answer(Answer.empty(307).with("Location", target));
        } else {
            fail(Problem.of(Code.NOT_FOUND));
        }
    }

    private void found(RouteTable.Match.Found found) {
        match = found;
        owner = found.entry().owner;
        Route route = found.entry().route;
        if (front.stopping) {
            fail(Problem.retryable(Code.STOPPING));
        } else if (front.cors.foreign(raw, method)) {
            fail(
                    Problem.of(
                            Code.FOREIGN_ORIGIN,
                            Code.FOREIGN_ORIGIN.sentence()
                                    + " If it should, add it to http.cors.origins."));
        } else if (declaredLength() > limit(route)) {
            fail(Gzip.tooLarge(limit(route)));
        } else {
            letIn(route);
        }
    }

    private void letIn(Route route) {
        InetAddress peer = front.peers.caller(connection.peer, raw);
        switch (route.guard()) {
            case Guard.Anyone anyone -> receive(route, peer, Caller.NOBODY);
            case Guard.OwnCheck own -> receive(route, peer, Caller.NOBODY);
            case Guard.Needs needs -> {
                Optional<String> token = Bearer.of(raw);
                Optional<Decision> known = front.gate.admitAtOnce(needs.door(), token, peer);
                if (known.isPresent()) {
                    decided(route, peer, known.get());
                } else {
                    // Redis has to be asked, which this thread must not wait for.
                    raw.pause();
                    Thread.startVirtualThread(() -> ask(route, peer, token, needs));
                }
            }
        }
    }

    private void ask(Route route, InetAddress peer, Optional<String> token, Guard.Needs needs) {
        try {
            Decision decision = front.gate.admit(needs.door(), token, peer);
            onLoop(
                    () -> {
                        raw.resume();
                        decided(route, peer, decision);
                    });
        } catch (RuntimeException e) {
            onLoop(
                    () -> {
                        raw.resume();
                        fail(problem(e));
                    });
        }
    }

    private void decided(Route route, InetAddress peer, Decision decision) {
        switch (decision) {
            case Decision.Admitted(Caller caller) -> receive(route, peer, caller);
            case Decision.Unknown(String why) ->
                    fail(
                            Problem.of(Code.UNAUTHORIZED, why)
                                    .with(new Header("WWW-Authenticate", "Bearer")));
            case Decision.Forbidden(String why) -> fail(Problem.of(Code.FORBIDDEN, why));
            case Decision.SlowDown slow ->
                    fail(Problem.retryable(Code.TOO_MANY_ATTEMPTS, slow.why(), slow.retryAfter()));
            case Decision.Unavailable(String why) ->
                    fail(Problem.retryable(Code.UNAVAILABLE, why, Duration.ofSeconds(1)));
        }
    }

    private void receive(Route route, InetAddress peer, Caller caller) {
        if (stage != Stage.ARRIVING) {
            return;
        }
        if (!route.stays()) {
            counted = true;
            if (front.inFlight.incrementAndGet() > front.settings.maxInFlight()) {
                fail(Problem.retryable(Code.OVERLOADED));
                return;
            }
        }
        if (HttpHeaders.CONTINUE.toString().equalsIgnoreCase(raw.getHeader(HttpHeaders.EXPECT))) {
            response.writeContinue();
        }
        Body body = new Body(limit(route));
        raw.handler(
                chunk -> {
                    if (stage == Stage.ARRIVING && !body.add(chunk)) {
                        fail(Gzip.tooLarge(limit(route)));
                    }
                });
        raw.endHandler(
                ended -> {
                    if (stage == Stage.ARRIVING) {
                        work(route, peer, caller, body);
                    }
                });
    }

    private long limit(Route route) {
        return route.maxBody() > 0 ? route.maxBody() : front.settings.maxBody().count();
    }

    private long declaredLength() {
        String length = raw.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    // ------------------------------------------------------------------ working

    private void work(Route route, InetAddress peer, Caller caller, Body body) {
        stage = route.stays() ? Stage.STAYING : Stage.WORKING;
        Request request;
        try {
            byte[] bytes = body.plain(raw.getHeader(HttpHeaders.CONTENT_ENCODING));
            request =
                    new Request(id, Objects.requireNonNull(match), path, raw, peer, caller, bytes);
        } catch (Problem problem) {
            fail(problem);
            return;
        }
        switch (route.handler()) {
            case Handler.Blocking(var work) ->
                    worker = Thread.startVirtualThread(() -> block(work, request));
            case Handler.Prompt(var work) -> prompt(work, request);
            case Handler.Streaming(var work) -> stream(work, request);
            case Handler.Talking(var work) -> talk(work, request);
        }
    }

    private void block(Handler.Work work, Request request) {
        ScopedValue.where(RequestId.CURRENT, id)
                .run(
                        () -> {
                            try {
                                Answer answer = packed(work.answer(request));
                                if (answer.body() instanceof Answer.Body.Streamed(var writer)) {
                                    send(answer, writer);
                                } else {
                                    onLoop(() -> answer(answer));
                                }
                            } catch (Throwable e) {
                                onLoop(() -> fail(problem(e)));
                            }
                        });
    }

    private Answer packed(Answer answer) {
        return Gzip.worthIt(answer) && Gzip.accepted(raw.getHeader(HttpHeaders.ACCEPT_ENCODING))
                ? Gzip.compressed(answer)
                : answer;
    }

    /** On the handler's thread, which writes as fast as the caller reads. */
    private void send(Answer answer, Answer.Writer writer) throws IOException {
        StreamedBody out =
                new StreamedBody(loop.context, response, front.settings.requestTimeOut());
        onLoop(
                () -> {
                    stage = Stage.STAYING;
                    decorate();
                    Replies.head(response, answer);
                    response.setChunked(true);
                });
        writer.write(out);
        out.finish();
        onLoop(() -> over(answer.status()));
    }

    private void prompt(Handler.PromptWork work, Request request) {
        try {
            work.answer(request)
                    .whenComplete(
                            (answer, failure) ->
                                    onLoop(
                                            () -> {
                                                if (failure == null) {
                                                    answer(answer);
                                                } else {
                                                    fail(problem(failure));
                                                }
                                            }));
        } catch (RuntimeException e) {
            fail(problem(e));
        }
    }

    private void stream(Handler.StreamWork work, Request request) {
        decorate();
        Stream opened = new Stream(response, () -> onLoop(() -> over(OK)));
        stream = opened;
        Thread.startVirtualThread(
                () -> {
                    try {
                        work.begin(request, opened);
                    } catch (Throwable e) {
                        onLoop(() -> fail(problem(e)));
                    }
                });
    }

    private void talk(Handler.TalkWork work, Request request) {
        if (!"websocket".equalsIgnoreCase(raw.getHeader(HttpHeaders.UPGRADE))) {
            fail(Problem.of(Code.BAD_REQUEST, "This path is for WebSockets; ask for an upgrade."));
            return;
        }
        raw.toWebSocket()
                .onFailure(e -> fail(Problem.of(Code.BAD_REQUEST, "This is no WebSocket.")))
                .onSuccess(
                        socket -> {
                            Talk opened = new Talk(socket);
                            talk = opened;
                            socket.closeHandler(closed -> over(SWITCHED));
                            Thread.startVirtualThread(() -> begin(work, request, opened));
                        });
    }

    private static void begin(Handler.TalkWork work, Request request, Talk talk) {
        try {
            work.begin(request, talk);
        } catch (Problem problem) {
            talk.close(Talk.Why.NOT_UNDERSTOOD, problem.detail());
        } catch (Exception e) {
            log.error("A talk could not begin. request={}", request.id(), e);
            talk.close(Talk.Why.TRY_LATER, Code.INTERNAL.sentence());
        }
    }

    private Problem problem(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        Problem problem =
                switch (cause) {
                    case Problem known -> known;
                    case RedisException redis -> Problem.of(redis);
                    default -> Problem.of(Code.INTERNAL);
                };
        if (problem.code() == Code.INTERNAL && stage != Stage.OVER) {
            log.error("A request failed. request={} path={}", id, path, cause);
        }
        return problem;
    }

    // ------------------------------------------------------------------ answering

    private void onLoop(Runnable step) {
        loop.run(step);
    }

    private Owner owner() {
        Owner known = owner;
        if (known == null) {
            known = front.table.owner(path);
            owner = known;
        }
        return known;
    }

    private void fail(Problem problem) {
        answer(owner().errors().of(problem, path, id).with(problem.headers()));
    }

    private void answer(Answer answer) {
        if (stage == Stage.OVER) {
            // Too late: it was answered in its place, or nobody waits any more.
            uncount();
            return;
        }
        if (response.headWritten()) {
            // Half of an answer must not look like all of it.
            response.reset();
        } else if (!response.closed()) {
            if (stage == Stage.ARRIVING && !raw.isEnded()) {
                ignoreRest();
            }
            decorate();
            Replies.send(response, answer, method == Method.HEAD);
        }
        over(answer.status());
    }

    /**
     * The rest of a body nobody wants is read, up to a bound, so that a client that is still
     * sending comes to read our answer.
     */
    private void ignoreRest() {
        long[] ignored = {0};
        raw.handler(
                chunk -> {
                    ignored[0] += chunk.length();
                    if (ignored[0] > IGNORED_BYTES) {
                        connection.http.close();
                    }
                });
        raw.endHandler(ended -> {});
        raw.resume();
    }

    private void decorate() {
        Replies.decorate(response, owner(), id);
        front.cors
                .headers(raw)
                .forEach(header -> response.headers().add(header.name(), header.value()));
    }

    /** The exchange has ended; a handler that is still at work counts until it comes back. */
    private void over(int status) {
        if (stage == Stage.OVER) {
            return;
        }
        stage = Stage.OVER;
        uncount();
        front.metrics.answered(
                match == null ? null : match.entry(), status, System.nanoTime() - began);
        loop.finished(this);
        if (stream != null) {
            stream.close();
        }
        if (talk != null) {
            talk.closed();
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
        if (stage == Stage.OVER) {
            return;
        }
        boolean working = worker != null && stage == Stage.WORKING;
        boolean held = counted;
        counted = counted && !working;
        over(CLOSED_BY_CLIENT);
        counted = held && working;
    }

    /** A deadline may have struck. */
    void look(long now) {
        switch (stage) {
            case ARRIVING -> {
                if (now - began > front.settings.bodyTimeOut().toNanos()) {
                    fail(Problem.of(Code.TOO_SLOW));
                    connection.http.close();
                }
            }
            case WORKING -> {
                if (now - began > front.settings.requestTimeOut().toNanos()) {
                    timeOut();
                }
            }
            case STAYING, OVER -> {}
        }
    }

    private void timeOut() {
        boolean held = counted;
        counted = false;
        fail(Problem.retryable(Code.TIME_OUT));
        counted = held;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** The hub stops: what would stay is asked to end, what works is waited for by the server. */
    void stop() {
        if (stream != null) {
            stream.stop();
        }
        if (talk != null) {
            talk.stop();
        }
    }
}
