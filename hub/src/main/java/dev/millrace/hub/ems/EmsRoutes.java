package dev.millrace.hub.ems;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The routes of one service, each under all of its paths, each answered in the envelope:
 *
 * <pre>{@code
 * new EmsRoutes(Service.COMSRV, clock)
 *         .get("/api/channels", route -> route.needs(Role.VIEWER, ROOM).about("…"), this::list)
 *         .routes();
 * }</pre>
 */
public final class EmsRoutes {
    /** What a body may have, in bytes. */
    public static final long LARGEST_BODY = 1 << 20;

    private static final int PASSING = 503;
    private static final int TOO_MANY = 429;

    private final Service service;
    private final Envelope envelope;
    private final List<Route> routes = new ArrayList<>();
    private Trail trail = Trail.NONE;

    /** Answers one request; what it refuses is thrown as {@link RefusedException}. */
    @FunctionalInterface
    public interface Work {
        EmsAnswer answer(EmsRequest request) throws Exception;
    }

    /** Begins to answer one request; what it refuses is thrown, or is how the stage fails. */
    @FunctionalInterface
    public interface PromptWork {
        CompletionStage<EmsAnswer> answer(EmsRequest request);
    }

    public EmsRoutes(Service service, InstantSource clock) {
        this.service = service;
        this.envelope = new Envelope(clock);
    }

    /** The same of a request whose body, of any length, is read while it arrives. */
    @FunctionalInterface
    public interface Receiving {
        EmsAnswer answer(EmsRequest request, InputStream body) throws Exception;
    }

    /** What requests say that they have changed is written down there. */
    public EmsRoutes audited(Trail where) {
        trail = where;
        return this;
    }

    /**
     * Adds a route.
     *
     * @param path the natural one, below {@code /api}
     * @param described who may ask, and what it is about
     */
    public EmsRoutes get(String path, UnaryOperator<Route.Draft> described, Work work) {
        return add(Route::get, path, described, work);
    }

    public EmsRoutes post(String path, UnaryOperator<Route.Draft> described, Work work) {
        return add(Route::post, path, described, work);
    }

    public EmsRoutes put(String path, UnaryOperator<Route.Draft> described, Work work) {
        return add(Route::put, path, described, work);
    }

    public EmsRoutes patch(String path, UnaryOperator<Route.Draft> described, Work work) {
        return add(Route::patch, path, described, work);
    }

    public EmsRoutes delete(String path, UnaryOperator<Route.Draft> described, Work work) {
        return add(Route::delete, path, described, work);
    }

    /** A POST whose body may be of any length and of any type. */
    public EmsRoutes receive(
            String path, UnaryOperator<Route.Draft> described, Receiving receiving) {
        for (String each : service.paths(path)) {
            routes.add(
                    described
                            .apply(Route.post(each))
                            .receivingBy(
                                    (plain, body) ->
                                            answer(
                                                    plain,
                                                    request -> receiving.answer(request, body))));
        }
        return this;
    }

    /**
     * A GET that other services answer at the natural path too: under this one's own paths alone.
     */
    public EmsRoutes getOwn(String path, UnaryOperator<Route.Draft> described, Work work) {
        for (String each : service.paths(path)) {
            if (!each.equals(path)) {
                alone(each, described, work);
            }
        }
        return this;
    }

    /** A POST that answers later and does not block meanwhile: for the hottest routes. */
    public EmsRoutes postPromptly(
            String path, UnaryOperator<Route.Draft> described, PromptWork work) {
        for (String each : service.paths(path)) {
            Route.Draft draft = described.apply(Route.post(each).maxBody(LARGEST_BODY));
            routes.add(draft.promptlyBy(request -> promptly(request, work)));
        }
        return this;
    }

    /** A GET at this path and at no other. */
    EmsRoutes alone(String path, UnaryOperator<Route.Draft> described, Work work) {
        routes.add(described.apply(Route.get(path)).by(request -> answer(request, work)));
        return this;
    }

    private EmsRoutes add(
            Function<String, Route.Draft> method,
            String path,
            UnaryOperator<Route.Draft> described,
            Work work) {
        Handler.Work handler = request -> answer(request, work);
        for (String each : service.paths(path)) {
            routes.add(described.apply(method.apply(each).maxBody(LARGEST_BODY)).by(handler));
        }
        return this;
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    private Answer answer(Request plain, Work work) throws Exception {
        EmsRequest request = new EmsRequest(plain);
        try {
            EmsAnswer answer = work.answer(request);
            request.changes().forEach(trail::tell);
            return answer.answer(envelope, request);
        } catch (RefusedException | RedisException | Problem e) {
            return failed(request, e);
        }
    }

    private CompletionStage<Answer> promptly(Request plain, PromptWork work) {
        EmsRequest request = new EmsRequest(plain);
        CompletionStage<EmsAnswer> answering;
        try {
            answering = work.answer(request);
        } catch (RefusedException | RedisException | Problem e) {
            return CompletableFuture.completedFuture(failed(request, e));
        }
        return answering.handle(
                (answer, failure) ->
                        failure == null
                                ? answer.answer(envelope, request)
                                : failed(request, thrown(failure)));
    }

    private static RuntimeException thrown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }

    private Answer failed(EmsRequest request, RuntimeException failure) {
        return switch (failure) {
            case RefusedException e -> failure(request, e.why());
            case RedisException e when e.reason() == Reason.WRONG_TYPE ->
                    failure(
                            request,
                            Refused.of(
                                    EmsCode.STORE_TYPE_CONFLICT,
                                    "A key in Redis has a type that somebody else gave it: "
                                            + e.getMessage()));
            case RedisException e -> problem(request, Problem.of(e));
            case Problem e -> problem(request, e);
            default -> throw failure;
        };
    }

    private Answer failure(EmsRequest request, Refused why) {
        int status = why.code().status();
        Answer answer =
                request.compat()
                        ? Envelope.bareFailure(status, why.message())
                        : envelope.failure(why, request.id());
        return status == PASSING || status == TOO_MANY ? answer.with("Retry-After", "1") : answer;
    }

    /** Whoever owns the path gives it its shape, but knows nothing of clients without envelopes. */
    private static Answer problem(EmsRequest request, Problem why) {
        if (!request.compat()) {
            throw why;
        }
        return Envelope.bareFailure(why.code().status(), why.detail()).with(why.headers());
    }
}
