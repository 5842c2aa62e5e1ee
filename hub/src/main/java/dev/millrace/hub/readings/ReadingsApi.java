package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.readings.arriving.Bodies;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingJson;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** {@code /api/v1/reading}. */
final class ReadingsApi {
    private static final String ROOM = EventsApi.ROOM;

    /** Where a reading stands by itself, a value descriptor that is missing is a conflict. */
    private static final ReadingsErrors BY_ITSELF = new ReadingsErrors(409, 500);

    private final ReadingsService readings;
    private final Checks checks;
    private final ReadingsSettings settings;

    ReadingsApi(ReadingsService readings, Checks checks, ReadingsSettings settings) {
        this.readings = readings;
        this.checks = checks;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/reading")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Stores a reading that belongs to no event; gives its id.")
                        .takes(Reading.class)
                        .givesType("text/plain")
                        .by(ReadingsErrors.reading(this::add)),
                Route.put("/api/v1/reading")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Changes a reading: whatever is not empty replaces what is stored.")
                        .takes(Reading.class)
                        .by(ReadingsErrors.reading(this::change)),
                Route.get("/api/v1/reading")
                        .needs(Role.VIEWER, ROOM)
                        .about("All readings, by id.")
                        .by(this::all),
                Route.get("/api/v1/reading/count")
                        .needs(Role.VIEWER, ROOM)
                        .about("How many readings there are.")
                        .givesType("text/plain")
                        .by(request -> EventsApi.count(readings.count())),
                Route.get("/api/v1/reading/{id}")
                        .needs(Role.VIEWER, ROOM)
                        .about("One reading.")
                        .gives(Reading.class)
                        .by(this::get),
                Route.delete("/api/v1/reading/id/{id}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Deletes a reading, also out of its event.")
                        .by(this::delete),
                Route.get("/api/v1/reading/device/{device}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Readings of a device, newest first.")
                        .by(this::ofDevice),
                Route.get("/api/v1/reading/name/{name}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Readings of one name, newest first.")
                        .by(this::named),
                Route.get("/api/v1/reading/name/{name}/device/{device}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Readings of one name and device, newest first.")
                        .by(this::namedOfDevice),
                Route.get("/api/v1/reading/{start:digits}/{end:digits}/{limit:digits}")
                        .needs(Role.VIEWER, ROOM)
                        .about("Readings from one time to another, in ms, newest first.")
                        .by(this::between));
    }

    private Answer add(Request request) {
        Reading sent = Bodies.reading(request.body()).reading();
        return checks.refusal(sent).map(BY_ITSELF::answer).orElseGet(() -> take(sent));
    }

    private Answer take(Reading sent) {
        Answer answer =
                settings.persist()
                        ? EdgexAnswers.text(200, readings.add(sent).orThrow())
                        : EdgexAnswers.json("unsaved");
        checks.taken(sent.device());
        return answer;
    }

    private Answer change(Request request) {
        Reading change = Bodies.reading(request.body()).reading();
        return refusal(change)
                .map(BY_ITSELF::answer)
                .orElseGet(() -> done(readings.change(change), change.id()));
    }

    /** What counts is the reading as it will be, with what the change does not say. */
    private Optional<Refused> refusal(Reading change) {
        return checks.asked()
                ? readings.get(change.id())
                        .flatMap(before -> checks.ofChange(before.changedBy(change, 0)))
                : Optional.empty();
    }

    private Answer delete(Request request) {
        String id = request.variable("id");
        return done(readings.delete(id), id);
    }

    private static Answer done(Outcome<Long> outcome, String id) {
        if (outcome.failedBy(Reason.ABSENT)) {
            throw unknown(id);
        }
        outcome.orThrow();
        return EdgexAnswers.done(200);
    }

    private Answer get(Request request) {
        String id = request.variable("id");
        return readings.get(id).map(EdgexAnswers::json).orElseThrow(() -> unknown(id));
    }

    private static Problem unknown(String id) {
        return Problem.of(Code.NOT_FOUND, "no reading found for id " + id);
    }

    /** Most of what is stored needs no second thought before it is sent. */
    private static Answer list(Iterator<Stored<Reading>> found) {
        return EdgexAnswers.list(
                found,
                stored ->
                        stored.raw() instanceof Raw.Text(byte[] json) && ReadingJson.isAsSent(json)
                                ? json
                                : EdgexJson.MAPPER.writeValueAsBytes(stored.value()));
    }

    private Answer all(Request request) {
        long count = readings.count();
        if (count > settings.maxResults()) {
            throw EventsApi.tooMany(count, settings.maxResults());
        }
        return list(readings.all(settings.maxResults()));
    }

    private Answer ofDevice(Request request) {
        long limit = EventsApi.limit(request, settings.maxResults());
        String device = request.variable("device");
        return checks.ofDevice(device)
                .map(ReadingsErrors.USUAL::answer)
                .orElseGet(() -> list(readings.newestOf(device, limit)));
    }

    private Answer named(Request request) {
        long limit = EventsApi.limit(request, settings.maxResults());
        String name = request.variable("name");
        return checks.ofName(name)
                .map(ReadingsErrors.USUAL::answer)
                .orElseGet(() -> list(readings.newestNamed(name, limit)));
    }

    private Answer namedOfDevice(Request request) {
        long limit = EventsApi.limit(request, settings.maxResults());
        String name = request.variable("name");
        String device = request.variable("device");
        return checks.ofDevice(device)
                .or(() -> checks.ofName(name))
                .map(BY_ITSELF::answer)
                .orElseGet(() -> list(readings.newestNamed(name, device, limit)));
    }

    private Answer between(Request request) {
        long limit = EventsApi.limit(request, settings.maxResults());
        long start = EventsApi.number(request, "start");
        long end = EventsApi.number(request, "end");
        return list(readings.between(start, end, limit));
    }
}
