package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One request of a client, turn by turn, to its answer. On one event loop. */
final class Exchange implements Sink, Loop.Watched {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);

    /** They make a proxy do something else than pass on, and no shop needs them. */
    private static final Set<String> REFUSED = Set.of("CONNECT", "TRACE");

    private static final long LAST_WORDS_MILLIS = 5000;

    private final Loop loop;
    private final Loop.Client client;
    private final HttpServerRequest raw;
    private final HttpServerResponse response;
    private boolean done;
    private boolean begun;
    private boolean bodyPending;
    private long moved = System.nanoTime();
    private @Nullable Runnable drained;
    private @Nullable Asked asked;
    private int status;

    Exchange(Loop loop, Loop.Client client, HttpServerRequest raw) {
        this.loop = loop;
        this.client = client;
        this.raw = raw;
        this.response = raw.response();
    }

    void begin() {
        response.exceptionHandler(failure -> gone());
        response.closeHandler(closed -> gone());
        try {
            ask();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void ask() {
        bodyPending =
                raw.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                        || !"0"
                                .equals(
                                        Optional.ofNullable(
                                                        raw.getHeader(HttpHeaders.CONTENT_LENGTH))
                                                .orElse("0"));
        if (bodyPending) {
            var _ = raw.pause();
        }
        String method = raw.method().name();
        Optional<Target> target = Target.of(raw);
        if (target.isEmpty() || (loop.shared.upstreams.anyBelow() && target.get().climbs())) {
            refuse(400, "This request cannot be understood.");
        } else if (REFUSED.contains(method)) {
            refuse(405, "This method is not passed on.");
        } else if (loop.shared.hops.wasHere(raw.headers())) {
            refuse(
                    508,
                    "This request has been here before: the application behind the proxy leads back"
                            + " to it.");
        } else if (declared() > loop.shared.options.bounds().body()) {
            refuse(413, "The body of this request is too large.");
        } else {
            Asked asked =
                    new Asked(
                            method,
                            target.get().host(),
                            target.get().path(),
                            raw.headers(),
                            loop.shared.hops,
                            client.peer,
                            bodyPending);
            if (Tunnel.wanted(raw)) {
                new Tunnel(loop, asked, raw, this::tunnelled, this::run).begin();
            } else {
                run(asked, loop.shared.desk.turn(asked));
            }
        }
    }

    private long declared() {
        try {
            return Long.parseLong(
                    Optional.ofNullable(raw.getHeader(HttpHeaders.CONTENT_LENGTH)).orElse("0"));
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private void refuse(int status, String sentence) {
        give(Content.sentence(status, sentence), List.of());
    }

    private void fail(Throwable why) {
        log.error("A request through the proxy failed.", why);
        if (begun) {
            broken();
        } else if (!done) {
            refuse(500, "The request failed; the log of the proxy says why.");
        }
    }

    // ------------------------------------------------------------------ turns

    private void run(Turn turn) {
        if (!done && turn instanceof Turn.Give(Content content, List<Header> more)) {
            give(content, more);
        }
    }

    private void run(Asked asked, Turn turn) {
        if (done) {
            abandon(turn);
            return;
        }
        switch (turn) {
            case Turn.Give(Content content, List<Header> more) -> give(content, more);
            case Turn.Later(var later) ->
                    later.whenComplete(
                            (next, why) ->
                                    loop.run(
                                            () -> {
                                                if (next == null) {
                                                    fail(why);
                                                } else {
                                                    safely(() -> run(asked, next));
                                                }
                                            }));
            case Turn.Fetch fetch -> {
                this.asked = asked;
                new Fetching(loop, asked, fetch, this).begin();
            }
        }
    }

    /** Others may wait for what this client was to ask for. */
    private static void abandon(Turn turn) {
        if (turn instanceof Turn.Fetch fetch) {
            var _ = fetch.taker().failed(Failure.ABANDONED);
        } else if (turn instanceof Turn.Later(var later)) {
            later.thenAccept(Exchange::abandon);
        }
    }

    private void safely(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void give(Content content, List<Header> more) {
        begun = true;
        boolean last = bodyPending && !raw.isEnded();
        content.write(
                response,
                more,
                loop.shared.hops.via(),
                loop.shared.stopping,
                HttpMethod.HEAD.equals(raw.method()));
        finish(content.status());
        if (last) {
            // What the client still sends is thrown away for a while, so that it comes to read the
            // answer.
            raw.handler(piece -> {});
            raw.endHandler(ended -> {});
            var _ = raw.resume();
            loop.later(
                    LAST_WORDS_MILLIS,
                    () -> {
                        if (!raw.isEnded()) {
                            client.cut();
                        }
                    });
        }
    }

    private void finish(int status) {
        if (!done) {
            done = true;
            loop.forget(this);
            loop.shared.figures.answered(status);
            loop.finished(client);
        }
    }

    private void tunnelled() {
        done = true;
        loop.forget(this);
        loop.shared.figures.answered(101);
    }

    /** The client has gone. */
    private void gone() {
        if (!done) {
            finish(499);
        }
        Runnable waiting = drained;
        drained = null;
        if (waiting != null) {
            waiting.run();
        }
    }

    // ------------------------------------------------------------------ as a sink

    @Override
    public void send(HttpClientRequest to) {
        if (!bodyPending) {
            var _ = to.end();
            return;
        }
        if (raw.isEnded()) {
            var _ = to.end();
            return;
        }
        loop.watch(this);
        if (raw.getHeader(HttpHeaders.CONTENT_LENGTH) == null) {
            to.setChunked(true);
        } else {
            to.putHeader(HttpHeaders.CONTENT_LENGTH, raw.getHeader(HttpHeaders.CONTENT_LENGTH));
        }
        if ("100-continue".equalsIgnoreCase(raw.getHeader(HttpHeaders.EXPECT))) {
            var _ = response.writeContinue();
        }
        long[] sent = {0};
        raw.handler(
                piece -> {
                    moved = System.nanoTime();
                    sent[0] += piece.length();
                    if (sent[0] > loop.shared.options.bounds().body()) {
                        tooMuch();
                        var _ = to.reset();
                        return;
                    }
                    var _ = to.write(piece);
                    if (to.writeQueueFull()) {
                        var _ = raw.pause();
                        to.drainHandler(
                                room -> {
                                    moved = System.nanoTime();
                                    var _ = raw.resume();
                                });
                    }
                });
        raw.endHandler(
                ended -> {
                    bodyPending = false;
                    var _ = to.end();
                });
        raw.exceptionHandler(failure -> to.reset());
        var _ = raw.resume();
    }

    private void tooMuch() {
        if (!begun && !done) {
            refuse(413, "The body of this request is too large.");
        } else {
            client.cut();
        }
    }

    @Override
    public boolean open() {
        return !done;
    }

    @Override
    public void begin(int status, List<Header> headers) {
        if (done) {
            return;
        }
        begun = true;
        moved = System.nanoTime();
        response.setStatusCode(status);
        boolean length = false;
        for (Header each : headers) {
            response.headers().add(each.name(), each.value());
            length |= each.name().equalsIgnoreCase("Content-Length");
        }
        Header via = loop.shared.hops.via();
        response.headers().add(via.name(), via.value());
        if (loop.shared.stopping || (bodyPending && !raw.isEnded())) {
            response.putHeader(HttpHeaders.CONNECTION, "close");
        }
        boolean empty = HttpMethod.HEAD.equals(raw.method()) || status == 204 || status == 304;
        if (!length && !empty) {
            response.setChunked(true);
        }
        this.status = status;
        loop.watch(this);
    }

    @Override
    public boolean write(Buffer piece, Runnable room) {
        if (done) {
            return true;
        }
        moved = System.nanoTime();
        var _ = response.write(piece);
        if (!response.writeQueueFull()) {
            return true;
        }
        drained = room;
        response.drainHandler(
                now -> {
                    moved = System.nanoTime();
                    Runnable waiting = drained;
                    drained = null;
                    if (waiting != null) {
                        waiting.run();
                    }
                });
        return false;
    }

    @Override
    public void end() {
        if (!done) {
            boolean left = bodyPending && !raw.isEnded();
            response.end()
                    .onComplete(
                            ended -> {
                                if (left) {
                                    client.cut();
                                }
                            });
            finish(status);
        }
    }

    /** Half of an answer must not look like all of it. */
    @Override
    public void broken() {
        if (!done) {
            loop.shared.figures.brokenOff();
            finish(499);
            client.cut();
        }
    }

    @Override
    public void instead(Turn turn) {
        Asked known = asked;
        if (known != null) {
            safely(() -> run(known, turn));
        }
    }

    /** The client neither sends nor takes anything. */
    @Override
    public void look(long now) {
        if (!done
                && now - moved > loop.shared.options.times().stall().toNanos()
                && (drained != null || (bodyPending && !raw.isEnded()))) {
            finish(499);
            client.cut();
        }
    }
}
