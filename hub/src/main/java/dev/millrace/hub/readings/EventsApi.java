package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.Taken;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.keyspace.store.Whole;

import java.util.Iterator;
import java.util.List;

/** {@code /api/v1/event}. */
final class EventsApi {
    static final String ROOM = "readings";
    private static final long LARGEST_EVENT = 25L << 20;

    /** What the reference answers here, and only here, when the metadata service is away. */
    private static final ReadingsErrors OF_DEVICE = new ReadingsErrors(404, 503);

    private final EventsService events;
    private final Checks checks;
    private final ReadingsSettings settings;

    EventsApi(EventsService events, Checks checks, ReadingsSettings settings) {
        this.events = events;
        this.checks = checks;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/event")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Stores an event with its readings; gives its id.")
                        .takes(EventView.class)
                        .givesType("text/plain")
                        .maxBody(LARGEST_EVENT)
                        .by(this::add),
                Route.get("/api/v1/event")
                        .needs(Role.VIEWER, ROOM)
                        .about("The newest events, newest first.")
                        .by(request -> list(events.newest(settings.maxResults()))),
                Route.get("/api/v1/event/count")
                        .needs(Role.VIEWER, ROOM)
                        .about("How many events there are.")
                        .givesType("text/plain")
                        .by(request -> count(events.count())),
                Route.get("/api/v1/event/count/{device}")
                        .needs(Role.VIEWER, ROOM)
                        .about("How many events of a device there are.")
                        .givesType("text/plain")
                        .by(this::countOf),
                Route.get("/api/v1/event/{id}")
                        .needs(Role.VIEWER, ROOM)
                        .about("One event with its readings.")
                        .gives(EventView.class)
                        .by(this::get),
                Route.get("/api/v1/event/device/{device}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Events of a device, newest first.")
                        .by(this::ofDevice),
                Route.get("/api/v1/event/{start:digits}/{end:digits}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Events from one time to another, in ms, newest first.")
                        .by(this::between));
    }

    private Answer countOf(Request request) {
        String device = request.variable("device");
        return checks.ofDevice(device)
                .map(ReadingsErrors.USUAL::answer)
                .orElseGet(() -> count(events.countOf(device)));
    }

    static Answer count(long number) {
        return EdgexAnswers.text(200, Long.toString(number));
    }

    private Answer add(Request request) {
        boolean cbor = request.header("Content-Type").filter(Bodies::isCbor).isPresent();
        return answer(events.take(request.body(), cbor).join());
    }

    private static Answer answer(Taken taken) {
        return switch (taken) {
            case Taken.Stored(String id) -> EdgexAnswers.text(200, id);
            case Refused why -> ReadingsErrors.USUAL.answer(why);
        };
    }

    private Answer get(Request request) {
        String id = request.variable("id");
        return events.get(id).map(EdgexAnswers::json).orElseThrow(() -> unknown(id));
    }

    private static Answer list(Iterator<Whole<Event, Reading>> found) {
        return EdgexAnswers.list(found, EventJson::of);
    }

    static Problem unknown(String id) {
        return Problem.of(Code.NOT_FOUND, "no event found for id " + id);
    }

    private Answer ofDevice(Request request) {
        long limit = limit(request, settings.maxResults());
        String device = request.variable("device");
        return checks.ofDevice(device)
                .map(OF_DEVICE::answer)
                .orElseGet(() -> list(events.newestOf(device, limit)));
    }

    private Answer between(Request request) {
        long limit = limit(request, settings.maxResults());
        long start = number(request, "start");
        long end = number(request, "end");
        return list(events.between(start, end, limit));
    }

    // ---------------------------------------------------------------- numbers in paths

    /** A number of the path; the route lets only digits through. */
    static long number(Request request, String name) {
        try {
            return Long.parseLong(request.variable(name));
        } catch (NumberFormatException e) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "%s is too large: at most %d.".formatted(name, Long.MAX_VALUE));
        }
    }

    /** How many are asked for, if that is allowed. */
    static long limit(Request request, int most) {
        long limit = number(request, "limit");
        if (limit > most) {
            throw tooMany(limit, most);
        }
        return limit;
    }

    static Problem tooMany(long count, int most) {
        return Problem.of(
                Code.TOO_LARGE,
                "%d are more than one query gives; ask for at most %d.".formatted(count, most));
    }
}
