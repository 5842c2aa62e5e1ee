package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.EventChanges;
import dev.millrace.hub.readings.kept.EventDeletion;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.time.InstantSource;
import java.util.List;

/** {@code PUT} and {@code DELETE /api/v1/event}. */
final class EventChangesApi {
    private static final String ROOM = EventsApi.ROOM;
    private static final byte[] NOTHING = {};

    /** What an event that cannot get another device is answered with, whatever the reason. */
    private static final int NO_NEW_DEVICE = 500;

    private final EventChanges changes;
    private final EventDeletion deletion;
    private final Checks checks;
    private final InstantSource clock;

    EventChangesApi(
            EventChanges changes, EventDeletion deletion, Checks checks, InstantSource clock) {
        this.changes = changes;
        this.deletion = deletion;
        this.checks = checks;
        this.clock = clock;
    }

    /** What deletes many may take long, and has no limit of time. */
    List<Route> routes() {
        return List.of(
                Route.put("/api/v1/event")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Changes device, pushed and origin of an event, where given.")
                        .takes(EventView.class)
                        .by(ReadingsErrors.reading(this::change)),
                Route.put("/api/v1/event/id/{id}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Marks an event as exported now.")
                        .by(this::push),
                Route.put("/api/v1/event/checksum/{checksum}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Marks all events with a checksum as exported now.")
                        .by(this::pushAll),
                Route.delete("/api/v1/event/id/{id}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes an event with its readings.")
                        .by(this::delete),
                Route.delete("/api/v1/event/device/{device}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes all events and readings of a device; counts the events.")
                        .parked()
                        .by(this::deleteOfDevice),
                Route.delete("/api/v1/event/removeold/age/{age:digits}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes events that are older than this many ms; counts them.")
                        .parked()
                        .by(this::removeOld),
                Route.delete("/api/v1/event/scrub")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes all events that were exported; counts them.")
                        .parked()
                        .by(request -> deleted(deletion.pushed())),
                Route.delete("/api/v1/event/scruball")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes all events and readings.")
                        .parked()
                        .by(this::scrubAll));
    }

    private Answer change(Request request) {
        if (isCbor(request)) {
            return noCbor();
        }
        Event change = Bodies.event(request.body()).event();
        return checks.ofDevice(change.device())
                .map(why -> EdgexErrors.answer(NO_NEW_DEVICE, why.sentence()))
                .orElseGet(() -> done(changes.change(change), change.id()));
    }

    private Answer push(Request request) {
        if (isCbor(request)) {
            return noCbor();
        }
        String id = request.variable("id");
        return done(changes.push(id), id);
    }

    private Answer pushAll(Request request) {
        String checksum = request.variable("checksum");
        if (changes.pushAll(checksum).orThrow() == 0) {
            throw Problem.of(Code.NOT_FOUND, "no event found for checksum " + checksum);
        }
        return Answer.bytes(200, "application/json", NOTHING);
    }

    private Answer delete(Request request) {
        String id = request.variable("id");
        return done(deletion.delete(id), id);
    }

    private Answer deleteOfDevice(Request request) {
        String device = request.variable("device");
        return checks.ofDevice(device)
                .map(ReadingsErrors.USUAL::answer)
                .orElseGet(() -> deleted(deletion.ofDevice(device)));
    }

    private Answer removeOld(Request request) {
        return deleted(deletion.createdUntil(clock.millis() - EventsApi.number(request, "age")));
    }

    private Answer scrubAll(Request request) {
        deletion.everything().orThrow();
        return EdgexAnswers.json(true);
    }

    private static Answer deleted(Outcome<Long> outcome) {
        return EdgexAnswers.deleted(outcome.orThrow());
    }

    private static Answer done(Outcome<Long> outcome, String id) {
        if (outcome.failedBy(Reason.ABSENT)) {
            throw EventsApi.unknown(id);
        }
        outcome.orThrow();
        return EdgexAnswers.done(200);
    }

    private static boolean isCbor(Request request) {
        return request.header("Content-Type").filter(Bodies::isCborExactly).isPresent();
    }

    private static Answer noCbor() {
        return EdgexErrors.answer(501, "An event is changed with JSON; CBOR is for adding one.");
    }
}
