package dev.millrace.hub.site.locks;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Locks over HTTP. */
public final class LocksApi {
    private static final String PATH = "/api/locks/{resource}";
    private static final String TOKEN = "token";
    private static final Pattern RESOURCE = Pattern.compile("[^\\p{Cntrl}]{1,200}");
    private static final Pattern OWNER = Pattern.compile("[^:\\p{Cntrl}]{1,128}");
    private static final int LONGEST_WAIT = 10;
    private static final Duration BETWEEN = Duration.ofMillis(100);

    private final String room;
    private final Locks locks;

    public LocksApi(String room, Locks locks) {
        this.room = room;
        this.locks = locks;
    }

    public void addTo(EmsRoutes routes) {
        routes.get(
                        PATH,
                        route -> route.needs(Role.VIEWER, room).about("Who holds a lock."),
                        this::look)
                .post(
                        PATH,
                        route ->
                                changing("Takes a lock: ttl in seconds, 1 to 600, 30 if left out.")
                                        .apply(route)
                                        .parameter(
                                                "wait",
                                                "how many seconds to wait for it, up to 10"),
                        this::acquire)
                .put(PATH, changing("Holds a lock longer; needs its token."), this::renew)
                .delete(
                        PATH,
                        route ->
                                changing("Gives a lock back; needs its token, in the body or here.")
                                        .apply(route)
                                        .parameter(TOKEN, "as it was given"),
                        this::release);
    }

    private UnaryOperator<Route.Draft> changing(String about) {
        return route -> route.needs(Role.OPERATOR, room).about(about);
    }

    private static String resource(EmsRequest request) {
        String resource = request.variable("resource");
        if (!RESOURCE.matcher(resource).matches()) {
            throw invalid("A resource has 1 to 200 characters, none of them a control character.");
        }
        return resource;
    }

    private EmsAnswer look(EmsRequest request) {
        String resource = resource(request);
        return locks.holder(resource)
                .map(holder -> EmsAnswer.ok(view(resource, holder)))
                .orElseThrow(
                        () -> Refused.of(EmsCode.NOT_FOUND, "Nobody holds this lock.").exception());
    }

    private static Map<String, Object> view(String resource, Locks.Holder holder) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("resource", resource);
        view.put("owner", holder.owner());
        view.put("since", holder.since().map(Object::toString).orElse(null));
        view.put("ttl", holder.left().map(each -> each.toMillis() / 1000.0).orElse(null));
        holder.fence().ifPresent(fence -> view.put("fence", fence));
        return view;
    }

    private EmsAnswer acquire(EmsRequest request) {
        String resource = resource(request);
        ObjectNode body = request.objectOrEmpty();
        Duration time = time(body);
        String owner = body.path("owner").asString("");
        if (owner.isEmpty()) {
            owner = UUID.randomUUID().toString();
        } else if (!OWNER.matcher(owner).matches()) {
            throw invalid("owner must have 1 to 128 characters and no colon.");
        }
        long deadline =
                System.nanoTime()
                        + Duration.ofSeconds(request.number("wait", 0, 0, LONGEST_WAIT)).toNanos();
        while (true) {
            switch (locks.acquire(resource, owner, time)) {
                case Locks.Taken.Ours(String token, long fence) -> {
                    Map<String, Object> view = new LinkedHashMap<>();
                    view.put("resource", resource);
                    view.put("owner", owner);
                    view.put(TOKEN, token);
                    view.put("fence", fence);
                    view.put("ttl", time.toMillis() / 1000.0);
                    return EmsAnswer.ok(view);
                }
                case Locks.Taken.Held(Locks.Holder by) -> {
                    if (System.nanoTime() - deadline >= 0) {
                        throw notOwned("%s holds this lock.".formatted(by.owner()))
                                .with("holder", view(resource, by))
                                .exception();
                    }
                }
            }
            LockSupport.parkNanos(
                    BETWEEN.toNanos() + ThreadLocalRandom.current().nextLong(BETWEEN.toNanos()));
        }
    }

    private EmsAnswer renew(EmsRequest request) {
        String resource = resource(request);
        ObjectNode body = request.object();
        Duration time = time(body);
        if (!locks.renew(resource, token(request, body), time)) {
            throw notOwned("This token does not hold this lock.").exception();
        }
        return EmsAnswer.ok(Map.of("resource", resource, "ttl", time.toMillis() / 1000.0));
    }

    private EmsAnswer release(EmsRequest request) {
        String resource = resource(request);
        if (!locks.release(resource, token(request, request.objectOrEmpty()))) {
            throw notOwned("This token does not hold this lock.").exception();
        }
        return EmsAnswer.ok(Map.of("resource", resource, "released", true));
    }

    private static String token(EmsRequest request, ObjectNode body) {
        String token = body.path(TOKEN).asString(request.query(TOKEN).orElse(""));
        if (token.isEmpty()) {
            throw invalid("token is missing: it came when the lock was taken.");
        }
        return token;
    }

    private static Duration time(ObjectNode body) {
        JsonNode ttl = body.path("ttl");
        if (ttl.isMissingNode() || ttl.isNull()) {
            return Locks.STANDARD;
        }
        double seconds = ttl.isNumber() ? ttl.doubleValue() : Double.NaN;
        if (!(seconds >= Locks.SHORTEST.toSeconds() && seconds <= Locks.LONGEST.toSeconds())) {
            throw invalid("ttl must be a number of seconds from 1 to 600.");
        }
        return Duration.ofMillis((long) (seconds * 1000));
    }

    private static Refused notOwned(String sentence) {
        return Refused.of(EmsCode.LOCK_NOT_OWNED, sentence);
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.VALIDATION_ERROR, sentence).exception();
    }
}
