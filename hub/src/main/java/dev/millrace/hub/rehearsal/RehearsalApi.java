package dev.millrace.hub.rehearsal;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Rehearsals of one kind of rules over HTTP. What is over a day or less is answered at once; longer
 * ones go on by themselves, and say how far they are.
 */
public final class RehearsalApi {
    private final String path;
    private final String room;
    private final Rehearsals rehearsals;
    private final Maker maker;
    private final InstantSource clock;

    /** Makes rehearsals; what cannot be rehearsed is refused. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Makes one.
         *
         * @param rule as it is to be rehearsed; empty for the rule of this id as it is stored
         */
        Rehearsal of(String id, Optional<ObjectNode> rule, Span span);
    }

    /**
     * The routes of one kind of rules.
     *
     * @param path of the rules
     */
    public RehearsalApi(
            String path, String room, Rehearsals rehearsals, Maker maker, InstantSource clock) {
        this.path = path;
        this.room = room;
        this.rehearsals = rehearsals;
        this.maker = maker;
        this.clock = clock;
    }

    public void addTo(EmsRoutes routes) {
        String one = path + "/{id}/rehearsals/{rehearsal}";
        routes.post(
                        path + "/{id}/rehearse",
                        reading("What a rule would have done in the past. Changes nothing."),
                        this::rehearse)
                .get(one, reading("How far a rehearsal is, and what came of it."), this::one)
                .delete(one, reading("Ends a rehearsal and forgets it."), this::drop);
    }

    private UnaryOperator<Route.Draft> reading(String about) {
        return route -> route.needs(Role.VIEWER, room).about(about);
    }

    private EmsAnswer rehearse(EmsRequest request) throws InterruptedException {
        String id = request.variable("id");
        ObjectNode body = request.object();
        Span span = Span.read(body, clock.millis());
        Rehearsal rehearsal = maker.of(id, rule(body), span);
        Rehearsals.Job job =
                rehearsals
                        .begin(id, span, rehearsal)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.QUEUE_FULL,
                                                        "%d rehearsals run already; try again."
                                                                .formatted(
                                                                        Rehearsals.MOST_AT_A_TIME))
                                                .exception());
        if (!span.isShort()) {
            return EmsAnswer.accepted(view(job))
                    .with("Location", path + "/" + id + "/rehearsals/" + job.id);
        }
        try {
            job.await();
        } finally {
            rehearsals.drop(job);
        }
        return EmsAnswer.ok(
                job.result()
                        .orElseThrow(
                                () ->
                                        Refused.of(EmsCode.SERVICE_UNAVAILABLE, job.error())
                                                .exception()));
    }

    private static Optional<ObjectNode> rule(ObjectNode body) {
        JsonNode rule = body.path("rule");
        if (rule.isMissingNode() || rule.isNull()) {
            return Optional.empty();
        }
        if (rule instanceof ObjectNode object) {
            return Optional.of(object);
        }
        throw Refused.of(EmsCode.VALIDATION_ERROR, "rule is the rule to be rehearsed, as JSON.")
                .exception();
    }

    private Rehearsals.Job known(EmsRequest request) {
        return rehearsals
                .find(request.variable("id"), request.variable("rehearsal"))
                .orElseThrow(
                        () ->
                                Refused.of(
                                                EmsCode.NOT_FOUND,
                                                "There is no such rehearsal in this hub any more.")
                                        .exception());
    }

    private EmsAnswer one(EmsRequest request) {
        return EmsAnswer.ok(view(known(request)));
    }

    private EmsAnswer drop(EmsRequest request) {
        String rule = request.variable("id");
        String id = request.variable("rehearsal");
        // One that is gone already is what was wanted.
        rehearsals.find(rule, id).ifPresent(rehearsals::drop);
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("rehearsal_id", id);
        view.put("rule_id", rule);
        view.put("state", Rehearsals.State.CANCELLED.word);
        return EmsAnswer.ok(view);
    }

    private static ObjectNode view(Rehearsals.Job job) {
        // Asked for first: what ends meanwhile has its result by then.
        Rehearsals.State state = job.state();
        ObjectNode view = Json.MAPPER.createObjectNode();
        view.put("rehearsal_id", job.id);
        view.put("rule_id", job.rule);
        view.put("state", state.word);
        view.put("progress", state == Rehearsals.State.DONE ? 1 : job.course.share());
        view.put("reached", Span.iso(job.course.reached()));
        if (!job.error().isEmpty()) {
            view.put("error", job.error());
        }
        if (state == Rehearsals.State.DONE) {
            job.result().ifPresent(result -> view.set("result", result));
        }
        return view;
    }
}
