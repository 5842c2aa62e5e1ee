package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The application is asked once, and its answer goes where it is to go: to the client piece by
 * piece, as fast as that one reads, to whoever keeps it, or nowhere. On one event loop.
 *
 * <p>Another application is asked if the first was not reached, or hung up without an answer to
 * what can be asked twice. A connection that was kept open may have been closed by the other side
 * just when we used it: then what can be asked twice is asked once more.
 */
final class Fetching implements Loop.Watched {
    private static final Logger log = LoggerFactory.getLogger(Fetching.class);
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS");

    /** What comes before it are hints, or the beginning of another protocol. */
    private static final int FIRST_ANSWER = 200;

    /** Of a body that nobody wants; with more, the connection is given up. */
    private static final int WORTH_READING = 64 << 10;

    private final Loop loop;
    private final Asked asked;
    private final Turn.Fetch fetch;
    private final Sink sink;
    private final Set<Upstream> tried = new HashSet<>();
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private @Nullable Gathered gathered;
    private boolean repeated;
    private boolean reused;
    private boolean relaying;
    private boolean held;
    private boolean over;
    private long sent;
    private long moved = System.nanoTime();

    Fetching(Loop loop, Asked asked, Turn.Fetch fetch, Sink sink) {
        this.loop = loop;
        this.asked = asked;
        this.fetch = fetch;
        this.sink = sink;
    }

    void begin() {
        loop.shared.figures.asking.incrementAndGet();
        loop.watch(this);
        try {
            attempt();
        } catch (IllegalArgumentException e) {
            // Something in the request that HTTP does not know how to write.
            log.debug("A request cannot be passed on. reason={}", e.toString());
            failed(Failure.UNWRITABLE);
        }
    }

    private void attempt() {
        Optional<Upstream> chosen = loop.shared.upstreams.choose(tried);
        if (chosen.isEmpty()) {
            failed(tried.isEmpty() ? Failure.RESTING : Failure.UNREACHABLE);
            return;
        }
        Upstream upstream = chosen.get();
        tried.add(upstream);
        MultiMap headers = loop.shared.hops.toApplication(asked, fetch.without(), fetch.with());
        RequestOptions options =
                upstream.request(fetch.target().orElse(asked.target()))
                        .setMethod(HttpMethod.valueOf(asked.method()))
                        .setConnectTimeout(loop.shared.options.times().connect().toMillis())
                        .setHeaders(headers);
        sent = System.currentTimeMillis();
        moved = System.nanoTime();
        loop.shared
                .client
                .request(options)
                .onComplete(
                        opened ->
                                loop.run(
                                        () -> {
                                            if (over) {
                                                if (opened.succeeded()) {
                                                    opened.result()
                                                            .exceptionHandler(Fetching::noted);
                                                    var _ = opened.result().reset();
                                                }
                                            } else if (opened.succeeded()) {
                                                ask(upstream, opened.result());
                                            } else {
                                                unreached(upstream, opened.cause());
                                            }
                                        }));
    }

    private void unreached(Upstream upstream, Throwable why) {
        boolean busy = why.getClass().getSimpleName().equals("ConnectionPoolTooBusyException");
        if (busy) {
            failed(Failure.BUSY);
            return;
        }
        upstream.failed(String.valueOf(why.getMessage()));
        if (tried.size() < loop.shared.upstreams.all().size()) {
            attempt();
        } else {
            failed(why instanceof ConnectException ? Failure.UNREACHABLE : Failure.BROKEN);
        }
    }

    private void ask(Upstream upstream, HttpClientRequest open) {
        request = open;
        // Its answer fails in the same way; without this the library complains by itself.
        open.exceptionHandler(Fetching::noted);
        open.connection().exceptionHandler(Fetching::noted);
        reused = loop.reused(open.connection());
        sent = System.currentTimeMillis();
        moved = System.nanoTime();
        open.response()
                .onComplete(
                        answered ->
                                loop.run(
                                        () -> {
                                            if (answered.succeeded()) {
                                                answered(upstream, answered.result());
                                            } else {
                                                silent(upstream, answered.cause());
                                            }
                                        }));
        sink.send(open);
    }

    static void noted(Throwable why) {
        log.debug("A request to the application failed. reason={}", why.toString());
    }

    private void silent(Upstream upstream, Throwable why) {
        if (over) {
            return;
        }
        boolean again =
                reused
                        && !repeated
                        && !asked.hasBody()
                        && REPEATABLE.contains(asked.method())
                        && why instanceof HttpClosedException;
        if (again) {
            repeated = true;
            tried.remove(upstream);
            attempt();
            return;
        }
        if (asked.hasBody() && !sink.open()) {
            // It is the client who has gone.
            end();
            return;
        }
        upstream.failed(String.valueOf(why.getMessage()));
        boolean elsewhere =
                tried.size() < loop.shared.upstreams.all().size()
                        && !asked.hasBody()
                        && REPEATABLE.contains(asked.method())
                        && (why instanceof HttpClosedException || why instanceof IOException);
        if (elsewhere) {
            attempt();
        } else {
            failed(Failure.BROKEN);
        }
    }

    // ------------------------------------------------------------------ the answer

    private void answered(Upstream upstream, HttpClientResponse came) {
        if (over) {
            came.exceptionHandler(Fetching::noted);
            return;
        }
        moved = System.nanoTime();
        if (came.statusCode() < FIRST_ANSWER) {
            // Nobody has asked it to talk in another way.
            came.exceptionHandler(Fetching::noted);
            upstream.failed("an answer to what nobody has asked");
            failed(Failure.BROKEN);
            var _ = came.request().connection().close();
            return;
        }
        upstream.worked();
        response = came;
        var _ = came.pause();
        came.exceptionHandler(why -> loop.run(this::brokenOff));
        Taker.Head head =
                new Taker.Head(
                        came.statusCode(),
                        loop.shared.hops.toClient(came.headers()),
                        sent,
                        System.currentTimeMillis());
        try {
            take(head, fetch.taker().head(head));
        } catch (RuntimeException e) {
            log.error("An answer of the application could not be taken.", e);
            failed(Failure.BROKEN);
            giveUp();
        }
    }

    private void take(Taker.Head head, Seen seen) {
        switch (seen) {
            case Seen.Relay(var headers, var after) ->
                    after.whenComplete(
                            (done, why) -> loop.run(() -> relay(head.status(), headers)));
            case Seen.Keep keep -> {
                gathered = new Gathered(keep, head);
                if (!keep.waiting()) {
                    startRelay(head.status(), keep.headers());
                }
                flow();
            }
            case Seen.Instead(Turn turn) -> {
                ignoreBody();
                end();
                sink.instead(turn);
            }
        }
    }

    private void relay(int status, List<Header> headers) {
        if (!over) {
            startRelay(status, headers);
            flow();
        }
    }

    private void startRelay(int status, List<Header> headers) {
        relaying = true;
        try {
            sink.begin(status, headers);
        } catch (IllegalArgumentException e) {
            // A header that HTTP does not know how to write.
            brokenOff();
            giveUp();
        }
    }

    private void flow() {
        HttpClientResponse coming = response;
        if (over || coming == null) {
            return;
        }
        moved = System.nanoTime();
        coming.handler(piece -> loop.run(() -> piece(coming, piece)));
        coming.endHandler(ended -> loop.run(this::ended));
        var _ = coming.resume();
    }

    private void piece(HttpClientResponse coming, Buffer piece) {
        if (over) {
            return;
        }
        moved = System.nanoTime();
        Gathered kept = gathered;
        if (kept != null) {
            if (!kept.hasRoomFor(piece)) {
                gathered = null;
                kept.keep.keeper().lost(Seen.Loss.TOO_LARGE);
                if (kept.keep.waiting()) {
                    startRelay(kept.head.status(), kept.keep.headers());
                    pass(coming, kept.bytes);
                }
            } else {
                kept.bytes.appendBuffer(piece);
                if (relaying && kept.complete()) {
                    kept.last = piece;
                    return;
                }
            }
        }
        if (relaying && !over) {
            pass(coming, piece);
        }
    }

    private void pass(HttpClientResponse coming, Buffer piece) {
        if (!sink.open()) {
            if (gathered == null) {
                end();
                giveUp();
            }
            return;
        }
        // What is kept has its bound already, and others wait for it: it does not wait for one who
        // reads slowly.
        if (!sink.write(piece, () -> loop.run(this::room)) && gathered == null) {
            held = true;
            var _ = coming.pause();
        }
    }

    private void room() {
        moved = System.nanoTime();
        HttpClientResponse coming = response;
        if (held && !over && coming != null) {
            held = false;
            if (sink.open()) {
                var _ = coming.resume();
            } else {
                end();
                giveUp();
            }
        }
    }

    private void ended() {
        if (over) {
            return;
        }
        Gathered kept = gathered;
        end();
        if (kept == null) {
            sink.end();
            return;
        }
        Turn turn;
        try {
            turn = kept.keep.keeper().whole(kept.bytes.getBytes());
        } catch (RuntimeException e) {
            log.error("An answer of the application could not be kept.", e);
            kept.keep.keeper().lost(Seen.Loss.BROKEN_OFF);
            if (relaying) {
                sink.broken();
            } else {
                sink.instead(fetch.taker().failed(Failure.BROKEN));
            }
            return;
        }
        if (kept.keep.waiting()) {
            sink.instead(turn);
            return;
        }
        Buffer last = kept.last;
        if (last != null) {
            sink.write(last, () -> {});
        }
        sink.end();
    }

    private void brokenOff() {
        if (over) {
            return;
        }
        Gathered kept = gathered;
        end();
        if (kept != null) {
            kept.keep.keeper().lost(Seen.Loss.BROKEN_OFF);
        }
        if (relaying) {
            sink.broken();
        } else {
            loop.shared.figures.failed(Failure.BROKEN);
            sink.instead(fetch.taker().failed(Failure.BROKEN));
        }
    }

    private void ignoreBody() {
        HttpClientResponse coming = response;
        if (coming == null) {
            return;
        }
        long[] read = {0};
        coming.handler(
                piece -> {
                    read[0] += piece.length();
                    if (read[0] > WORTH_READING) {
                        giveUp();
                    }
                });
        loop.later(
                loop.shared.options.times().connect().toMillis(),
                () -> {
                    if (read[0] >= 0) {
                        giveUp();
                    }
                });
        coming.endHandler(ended -> read[0] = Long.MIN_VALUE);
        var _ = coming.resume();
    }

    private void giveUp() {
        HttpClientRequest open = request;
        if (open != null) {
            var _ = open.reset();
        }
    }

    private void failed(Failure why) {
        end();
        loop.shared.figures.failed(why);
        sink.instead(fetch.taker().failed(why));
    }

    private void end() {
        if (!over) {
            over = true;
            loop.forget(this);
            loop.shared.figures.asking.decrementAndGet();
        }
    }

    @Override
    public void look(long now) {
        if (over) {
            return;
        }
        ProxyOptions.Times times = loop.shared.options.times();
        long still = now - moved;
        if (!sink.open() && fetch.taker().forClientAlone()) {
            end();
            giveUp();
        } else if (response == null) {
            if (still > times.answer().toNanos()) {
                tried.forEach(each -> each.failed("no answer in time"));
                failed(Failure.LATE);
                giveUp();
            }
        } else if (!held && still > times.stall().toNanos()) {
            brokenOff();
            giveUp();
        } else if (held && !sink.open()) {
            end();
            giveUp();
        }
    }
}
