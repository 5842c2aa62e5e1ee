package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Bearer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Guard;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Method;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A request until it is complete: find the route, let the caller in, take the body. It ends in one
 * {@link Arrived}, said once, unless it is ended from outside before. On the connection's event
 * loop, except for the question who the caller is where Redis has to answer it.
 */
final class Arrival {
    private static final String NO_ROOM =
            "The bodies of all requests together are larger than the memory for them; try again.";

    private enum Step {
        /** The head is looked at, or the body is not complete. */
        TAKING,
        /** Redis is being asked who this is. */
        ASKING,
        /** The end was told, or nobody wants to hear it any more. */
        DONE
    }

    private final Front front;
    private final Loop loop;
    private final Asked asked;
    private final HttpServerRequest raw;
    private final Consumer<Arrived> end;
    private Step step = Step.TAKING;
    private long since = System.nanoTime();
    private @Nullable Body body;

    /**
     * Nothing has begun.
     *
     * @param end is told how it ends
     */
    Arrival(Loop loop, Asked asked, Consumer<Arrived> end) {
        this.front = loop.front;
        this.loop = loop;
        this.asked = asked;
        this.raw = asked.raw;
        this.end = end;
    }

    void begin() {
        try {
            route();
        } catch (RuntimeException e) {
            refuse(e);
        }
    }

    /** Nobody wants the request any more. */
    void stop() {
        step = Step.DONE;
    }

    /** Gives back the memory of the body. */
    void giveBack() {
        if (body != null) {
            body.giveBack();
        }
    }

    boolean isAsking() {
        return step == Step.ASKING;
    }

    /** When it began to do what it does. */
    long since() {
        return since;
    }

    private void refuse(Throwable why) {
        end(new Arrived.Refused(why));
    }

    private void refuse(Code code) {
        refuse(Problem.of(code));
    }

    private void end(Arrived how) {
        if (step != Step.DONE) {
            step = Step.DONE;
            end.accept(how);
        }
    }

    // ------------------------------------------------------------------ the head

    private void route() {
        if (!asked.understood()) {
            refuse(Code.BAD_PATH);
            return;
        }
        if (raw.version() != HttpVersion.HTTP_2 && !wellFormed()) {
            refuse(Code.BAD_REQUEST);
            return;
        }
        if (!front.hosts.accept(raw)) {
            refuse(Code.WRONG_HOST);
            return;
        }
        if (asked.method() == Method.OPTIONS) {
            Optional<Answer> preflight = asked.manners().cors().preflight(raw);
            if (preflight.isPresent()) {
                end(new Arrived.Answered(preflight.get()));
                return;
            }
        }
        switch (front.table.find(asked.method(), asked.path())) {
            case RouteTable.Match.Found found -> found(found);
            case RouteTable.Match.OtherMethods(var allowed) -> {
                Problem problem = Problem.of(Code.METHOD_NOT_ALLOWED);
                refuse(
                        asked.owner().allowsOnErrors()
                                ? problem.with(new Header("Allow", String.join(", ", allowed)))
                                : problem);
            }
            case RouteTable.Match.Nothing() -> nothing();
        }
    }

    /**
     * What the library lets pass, but others before us may read in another way: then a request
     * would hide in the body of another.
     */
    private boolean wellFormed() {
        MultiMap headers = raw.headers();
        List<String> codings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        return !headers.contains("")
                && (raw.version() == HttpVersion.HTTP_1_0
                        || headers.getAll(HttpHeaders.HOST).size() == 1)
                && (codings.isEmpty()
                        || (codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")));
    }

    private void nothing() {
        String path = asked.path();
        String without = path.endsWith("/") ? path.substring(0, path.length() - 1) : "";
        if (asked.owner().redirectsSlash()
                && !without.isEmpty()
                && !(front.table.find(asked.method(), without)
                        instanceof RouteTable.Match.Nothing)) {
            // However the slash was written; and never to another host, as // would lead.
            String target =
                    String.valueOf(raw.path())
                            .replaceFirst("(?i)(/|%2f)$", "")
                            .replaceFirst("^/+", "/");
            String query = raw.query();
            end(
                    new Arrived.Answered(
                            Answer.empty(307)
                                    .with(
                                            "Location",
                                            query == null ? target : target + "?" + query)));
        } else {
            refuse(Code.NOT_FOUND);
        }
    }

    private void found(RouteTable.Match.Found found) {
        asked.found(found);
        Route route = found.entry().route();
        if (front.stopping && !route.whileStopping()) {
            refuse(Problem.retryable(Code.STOPPING));
        } else if (asked.manners().cors().foreign(raw, asked.method())) {
            refuse(
                    Problem.of(
                            Code.FOREIGN_ORIGIN,
                            Code.FOREIGN_ORIGIN.sentence()
                                    + " If it should, add it to http.cors.origins."));
        } else if (!(route.handler() instanceof Handler.Receiving)
                && declaredLength() > limit(route)) {
            refuse(Gzip.tooLarge(limit(route)));
        } else {
            letIn(route);
        }
    }

    // ------------------------------------------------------------------ the caller

    private void letIn(Route route) {
        InetAddress peer = asked.peer();
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
                    enter(Step.ASKING);
                    raw.pause();
                    Thread.startVirtualThread(() -> ask(route, peer, token, needs));
                }
            }
        }
    }

    private void ask(Route route, InetAddress peer, Optional<String> token, Guard.Needs needs) {
        try {
            Decision decision = front.gate.admit(needs.door(), token, peer);
            loop.run(() -> known(() -> decided(route, peer, decision)));
        } catch (Throwable e) {
            loop.run(() -> known(() -> refuse(e)));
        }
    }

    private void known(Runnable next) {
        if (step == Step.ASKING) {
            enter(Step.TAKING);
            next.run();
            raw.resume();
        }
    }

    private void enter(Step next) {
        step = next;
        since = System.nanoTime();
    }

    private void decided(Route route, InetAddress peer, Decision decision) {
        if (decision instanceof Decision.Admitted(Caller caller)) {
            receive(route, peer, caller);
        } else {
            refuse(Problem.of(decision));
        }
    }

    // ------------------------------------------------------------------ the body

    private void receive(Route route, InetAddress peer, Caller caller) {
        // Not counted before its body is there, or slow senders would take every place.
        if (!route.stays() && front.inFlight.get() >= front.settings.maxInFlight()) {
            refuse(Problem.retryable(Code.OVERLOADED));
            return;
        }
        if (HttpHeaders.CONTINUE.toString().equalsIgnoreCase(raw.getHeader(HttpHeaders.EXPECT))) {
            raw.response().writeContinue();
        }
        Body whole = new Body(limit(route), front.bodies);
        body = whole;
        Arrived.Ready ready = new Arrived.Ready(route, peer, caller, whole);
        if (route.handler() instanceof Handler.Talking
                || route.handler() instanceof Handler.Receiving) {
            // What follows the head is the library's, or the handler's, who want all of it.
            end(ready);
            return;
        }
        raw.handler(chunk -> take(whole, chunk));
        raw.endHandler(ended -> end(ready));
    }

    private void take(Body whole, Buffer chunk) {
        if (step == Step.DONE) {
            return;
        }
        switch (whole.add(chunk)) {
            case TAKEN -> {}
            case TOO_LARGE -> refuse(Gzip.tooLarge(whole.limit()));
            case NO_ROOM ->
                    refuse(Problem.retryable(Code.OVERLOADED, NO_ROOM, Duration.ofSeconds(1)));
        }
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
}
