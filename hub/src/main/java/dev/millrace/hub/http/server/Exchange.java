package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;

import io.vertx.core.http.HttpServerRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/**
 * The way of one request, from its headers to its end: {@link Arrival} makes it complete, {@link
 * Handling} has its handler work, {@link Reply} brings the answer to the client. Calls go from here
 * to those three; what each of them ends in comes back to here as a value. Deadlines are kept here,
 * and so is what the exchange takes of what all share: a place among those at work, and memory.
 *
 * <p>All of it on the connection's event loop, except the work itself, which may block and has a
 * virtual thread; so the fields need no lock, and a deadline that strikes while the work goes on is
 * a step like any other.
 */
final class Exchange implements Handling.Outcome {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);

    private static final byte[] NO_BODY = {};

    private enum Stage {
        /** The request is not complete, or it is not known who sent it. */
        ARRIVING,
        /** A handler is at work, and has so much time. */
        WORKING,
        /** A handler is at work and may take as long as it likes. */
        STAYING,
        /** The answer is known, and the client is taking it. */
        SENDING,
        /** Answered, or the caller has gone. */
        OVER
    }

    final Loop.Connection connection;
    private final Loop loop;
    private final Front front;
    private final Asked asked;
    private final Arrival arrival;
    private final Reply reply;
    private final long began = System.nanoTime();

    private Stage stage = Stage.ARRIVING;

    /** Since the request was complete. */
    private @Nullable Handling handling;

    private long workingSince;

    /** Whether it counts as in flight; until its handler has come back, also if nobody waits. */
    private boolean counted;

    Exchange(Loop loop, Loop.Connection connection, HttpServerRequest raw) {
        this.loop = loop;
        this.front = loop.front;
        this.connection = connection;
        this.asked = new Asked(front, connection.peer, raw);
        this.arrival = new Arrival(loop, asked, this::arrived);
        this.reply = new Reply(loop, connection, asked);
    }

    /**
     * The head is there. A client may send many requests before it takes the first answer; the
     * library hands over the next only when the answer before it was written, so that no more than
     * one waits in our memory.
     */
    void begin() {
        reply.whenGone(this::gone);
        arrival.begin();
    }

    private void arrived(Arrived how) {
        switch (how) {
            case Arrived.Ready ready -> {
                try {
                    work(ready);
                } catch (RuntimeException e) {
                    failed(e);
                }
            }
            case Arrived.Answered(Answer answer) -> answered(answer);
            case Arrived.Refused(Throwable why) -> failed(why);
        }
    }

    private void work(Arrived.Ready ready) {
        Route route = ready.route();
        if (!route.stays()) {
            counted = true;
            if (front.inFlight.incrementAndGet() > front.settings.maxInFlight()) {
                failed(Problem.retryable(Code.OVERLOADED));
                return;
            }
        }
        stage = route.stays() ? Stage.STAYING : Stage.WORKING;
        workingSince = System.nanoTime();
        Handling begun = new Handling(loop, connection, asked, reply, this);
        handling = begun;
        begun.begin(ready);
    }

    // ------------------------------------------------------------------ answering

    @Override
    public void failed(Throwable thrown) {
        if (isAnswered()) {
            release();
        } else {
            answered(reply.refusal(thrown));
        }
    }

    @Override
    public void answered(Answer answer) {
        if (isAnswered()) {
            // Too late: it was answered in its place, or nobody waits any more.
            release();
            return;
        }
        boolean unread = stage == Stage.ARRIVING || (handling != null && handling.readsBody());
        arrival.stop();
        stage = Stage.SENDING;
        release();
        reply.send(answer, unread, this::over);
    }

    private boolean isAnswered() {
        return stage == Stage.OVER || stage == Stage.SENDING;
    }

    /** False if nobody wants the body: somebody else answered meanwhile, or it is for a HEAD. */
    @Override
    public boolean begins(Answer streamed) {
        if (isAnswered() || !reply.begin(streamed)) {
            return false;
        }
        // It takes as long as the client likes; a place among those at work is not for that.
        stage = Stage.STAYING;
        uncount();
        return true;
    }

    @Override
    public void written(int status) {
        over(status);
    }

    @Override
    public void broken() {
        reply.breakOff();
        over(Reply.CLOSED_BY_CLIENT);
    }

    @Override
    public boolean isOver() {
        return stage == Stage.OVER;
    }

    // ------------------------------------------------------------------ deadlines and ends

    /** A deadline may have struck. */
    void look(long now) {
        Duration request = front.settings.requestTimeOut();
        Duration body = front.settings.bodyTimeOut();
        switch (stage) {
            case ARRIVING -> {
                long waited = now - arrival.since();
                if (arrival.isAsking()) {
                    if (waited > request.toNanos()) {
                        failed(Problem.retryable(Code.TIME_OUT));
                    }
                } else if (waited > body.toNanos()) {
                    failed(Problem.of(Code.TOO_SLOW));
                    connection.end();
                }
            }
            case WORKING -> {
                if (now - workingSince > request.toNanos()) {
                    failed(Problem.retryable(Code.TIME_OUT));
                    abandon();
                }
            }
            case SENDING -> {
                if (reply.isStuck(now, body)) {
                    broken();
                }
            }
            case STAYING, OVER -> {}
        }
    }

    /** The connection is closed. */
    private void gone() {
        boolean waits = stage == Stage.STAYING || (stage == Stage.WORKING && front.stopping);
        over(Reply.CLOSED_BY_CLIENT);
        if (waits) {
            // For news, and there is nobody any more to tell them to; or time is up.
            abandon();
        }
    }

    /** Nobody waits for the handler any more. */
    void abandon() {
        if (handling != null) {
            handling.abandon();
        }
    }

    /** The hub stops: what would stay is asked to end, what works is waited for by the server. */
    void stop() {
        if (handling != null) {
            handling.stop();
        }
    }

    /** The exchange has ended; a handler that is still at work counts until it comes back. */
    private void over(int status) {
        if (stage == Stage.OVER) {
            release();
            return;
        }
        stage = Stage.OVER;
        arrival.stop();
        release();
        reply.giveBack();
        loop.finished(this);
        long nanos = System.nanoTime() - began;
        front.metrics.answered(asked.entry(), status, nanos);
        if (handling != null) {
            atEnd(handling::over);
        }
        atEnd(() -> note(status, nanos));
    }

    private void atEnd(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            log.error("A handler failed at the end of its connection. request={}", asked.id, e);
        }
    }

    private void note(int status, long nanos) {
        RouteTable.Entry entry = asked.entry();
        if (entry != null && entry.owner().calls().isOn()) {
            entry.owner()
                    .calls()
                    .write(
                            asked.raw.method().name(),
                            asked.request(asked.peer(), Caller.NOBODY, NO_BODY),
                            status,
                            nanos,
                            asked.raw.bytesRead(),
                            reply.bytesWritten());
        }
    }

    /** Gives back its place and its memory, unless a handler still has them. */
    private void release() {
        if (handling == null || !handling.isAtWork()) {
            uncount();
            arrival.giveBack();
        }
    }

    private void uncount() {
        if (counted) {
            counted = false;
            front.inFlight.decrementAndGet();
        }
    }
}
