package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.http.RequestId;
import dev.millrace.hub.http.Stream;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The answer to one request on its way to the client: whole, in pieces, or written by a handler
 * piece by piece. It knows what was asked, and nothing of who made the answer. On the event loop,
 * except where a method says otherwise.
 */
final class Reply {
    private static final Logger log = LoggerFactory.getLogger(Reply.class);

    /** For the figures: nobody was left to be answered. */
    static final int CLOSED_BY_CLIENT = 499;

    /**
     * Of a body that is refused. Whoever sends more is cut off and may lose our answer with it, so
     * it is a few times what any route takes.
     */
    private static final long IGNORED_BYTES = 64 << 20;

    /** What our own pages need, and nothing else. */
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    private static final FixedHeaders OURS =
            FixedHeaders.of(
                    List.of(
                            new Header("X-Content-Type-Options", "nosniff"),
                            new Header("X-Frame-Options", "DENY"),
                            new Header("Referrer-Policy", "no-referrer"),
                            new Header("Content-Security-Policy", POLICY),
                            new Header("Cache-Control", "no-store")));

    private final Front front;
    private final Loop loop;
    private final Loop.Connection connection;
    private final Asked asked;
    private final HttpServerRequest raw;
    private final HttpServerResponse response;
    private @Nullable Pieces pieces;
    private boolean lastOfConnection;
    private boolean decorated;

    Reply(Loop loop, Loop.Connection connection, Asked asked) {
        this.front = loop.front;
        this.loop = loop;
        this.connection = connection;
        this.asked = asked;
        this.raw = asked.raw;
        this.response = raw.response();
    }

    /** What happens when the client leaves; may be told more than once. */
    void whenGone(Runnable action) {
        response.exceptionHandler(failure -> action.run());
        response.closeHandler(closed -> action.run());
    }

    long bytesWritten() {
        return response.bytesWritten();
    }

    // ------------------------------------------------------------------ refusing

    /** What whoever owns the path says to a failure. */
    Answer refusal(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        if (cause instanceof Refusal refusal) {
            return refusal.answer();
        }
        Problem problem =
                switch (cause) {
                    case Problem known -> known;
                    case RedisException redis -> Problem.of(redis);
                    // Nobody is left to be told, and it is not our mistake either.
                    case StreamedBody.GoneException gone -> Problem.of(Code.TOO_SLOW);
                    default -> Problem.of(Code.INTERNAL);
                };
        if (problem.code() == Code.INTERNAL) {
            // The path as it was sent: decoded, it could end the line and begin another.
            log.error("A request failed. request={} path={}", asked.id, raw.path(), cause);
        }
        return refusal(problem);
    }

    private Answer refusal(Problem problem) {
        return asked.owner().errors().of(problem, asked.path(), asked.id).with(problem.headers());
    }

    // ------------------------------------------------------------------ whole, or in pieces

    /** Smaller, where the client wants that and it is worth the work. On any thread. */
    Answer packed(Answer answer) {
        return Gzip.worthIt(answer) && Gzip.accepted(raw.getHeader(HttpHeaders.ACCEPT_ENCODING))
                ? Gzip.compressed(answer)
                : answer;
    }

    /**
     * Sends it, a large one as fast as the client takes it.
     *
     * @param unread whether the rest of the request's body, if there is one, is nobody's
     * @param done is told the status that was sent, at once or when the client has taken all
     */
    void send(Answer answer, boolean unread, IntConsumer done) {
        if (response.headWritten()) {
            // Half of an answer must not look like all of it.
            breakOff();
            done.accept(CLOSED_BY_CLIENT);
        } else if (response.closed()) {
            done.accept(answer.status());
        } else {
            try {
                write(answer, unread, done);
            } catch (RuntimeException e) {
                // Such as a header that HTTP does not know how to write.
                log.error("An answer could not be written. request={}", asked.id, e);
                breakOff();
                done.accept(CLOSED_BY_CLIENT);
            }
        }
    }

    private void write(Answer answer, boolean unread, IntConsumer done) {
        if (unread) {
            ignoreRest();
        }
        decorate();
        if (answer.body() instanceof Answer.Body.Whole(byte[] bytes)
                && bytes.length > Pieces.PIECE
                && !asked.isHead()) {
            if (front.answers.take(bytes.length)) {
                writeLarge(answer, bytes, done);
            } else {
                writeSmall(tooMany(), done);
            }
        } else {
            writeSmall(answer, done);
        }
    }

    private Answer tooMany() {
        return refusal(
                Problem.retryable(
                        Code.OVERLOADED,
                        "Too many large answers wait for their clients; try again.",
                        Duration.ofSeconds(1)));
    }

    private void writeLarge(Answer answer, byte[] bytes, IntConsumer done) {
        Pieces large = new Pieces(response, bytes, () -> done.accept(answer.status()));
        pieces = large;
        head(answer);
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length));
        large.send();
    }

    private void writeSmall(Answer answer, IntConsumer done) {
        head(answer);
        if (!(answer.body() instanceof Answer.Body.Whole(byte[] bytes))) {
            response.end();
        } else if (asked.isHead()) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length));
            response.end();
        } else {
            response.end(Buffer.buffer(bytes));
        }
        done.accept(answer.status());
    }

    /** Whether the client has taken nothing of a large answer for so long. */
    boolean isStuck(long now, Duration patience) {
        return pieces != null && now - pieces.moved() > patience.toNanos();
    }

    /** Gives back the memory of a large answer; once, when the exchange is over. */
    void giveBack() {
        if (pieces != null) {
            front.answers.giveBack(pieces.size());
        }
    }

    // ------------------------------------------------------------------ written by its handler

    /** Sends the head of an answer whose body follows; false if it is for a HEAD, and has none. */
    boolean begin(Answer answer) {
        decorate();
        try {
            head(answer);
        } catch (RuntimeException e) {
            // Such as a header that HTTP does not know how to write; the answer that says so has
            // its own.
            response.headers().clear();
            decorated = false;
            throw e;
        }
        if (asked.isHead()) {
            response.end();
            return false;
        }
        response.setChunked(true);
        return true;
    }

    /**
     * Its body, written as fast as the client reads. For a thread that may wait.
     *
     * @param begin is called before the first piece is sent; false if nobody wants it
     */
    StreamedBody body(BooleanSupplier begin) {
        return new StreamedBody(loop.context, response, front.settings.requestTimeOut(), begin);
    }

    /**
     * An answer without end.
     *
     * @param done is told, on the event loop, when whoever writes it wants no more
     */
    Stream stream(Runnable done) {
        decorate();
        return new Stream(response, loop, () -> loop.run(done));
    }

    boolean isEnded() {
        return response.ended();
    }

    // ------------------------------------------------------------------ around it

    /** Ends the connection, or the one stream of it, so that nobody takes a part for the whole. */
    void breakOff() {
        if (raw.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            connection.cut();
        }
    }

    /**
     * The rest of a body nobody wants is read, up to a bound, so that a client that is still
     * sending comes to read our answer.
     */
    void ignoreRest() {
        if (raw.isEnded()) {
            return;
        }
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

    /**
     * Before all others: headers that belong to the path, not to the answer. Twice where what was
     * to be a stream is refused; but a browser does not take all of them twice.
     */
    private void decorate() {
        if (!decorated) {
            decorated = true;
            decorateForPath();
        }
        if ((front.stopping || lastOfConnection) && raw.version() != HttpVersion.HTTP_2) {
            response.putHeader(HttpHeaders.CONNECTION, "close");
        }
    }

    private void decorateForPath() {
        Owner owner = asked.owner();
        // These replace all headers there are, so they come first.
        if (owner.ours()) {
            OURS.putOn(response);
        }
        if (asked.entry() != null) {
            asked.manners().headers().putOn(response);
        }
        if (owner.echoesIds()) {
            response.putHeader(RequestId.HEADER, asked.id);
        }
        asked.manners()
                .cors()
                .headers(raw)
                .forEach(header -> response.headers().add(header.name(), header.value()));
    }

    /** Status and headers; a header that the answer names counts more than one put before. */
    private void head(Answer answer) {
        response.setStatusCode(answer.status());
        for (Header header : answer.headers()) {
            if (header.name().equals("Vary")) {
                response.headers().add(header.name(), header.value());
            } else {
                response.putHeader(header.name(), header.value());
            }
        }
    }
}
