package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.Taken;
import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.hub.readings.metadata.Metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** {@code /api/v1/valuedescriptor}: what readings of one name are. */
final class ValueDescriptorsApi {
    private static final String PATH = "/api/v1/valuedescriptor";

    private final ValueDescriptors descriptors;
    private final Metadata metadata;
    private final int most;

    /**
     * The API.
     *
     * @param most how many may be in one answer
     */
    ValueDescriptorsApi(ValueDescriptors descriptors, Metadata metadata, int most) {
        this.descriptors = descriptors;
        this.metadata = metadata;
        this.most = most;
    }

    List<Route> routes() {
        return List.of(
                Route.post(PATH)
                        .needs(Role.OPERATOR, EventsApi.ROOM)
                        .about("Adds a value descriptor; answers with its id.")
                        .takes(ValueDescriptor.class)
                        .givesType("text/plain")
                        .by(this::add),
                Route.put(PATH)
                        .needs(Role.OPERATOR, EventsApi.ROOM)
                        .about(
                                "Changes the value descriptor with the id of the body; what the"
                                        + " body does not say stays.")
                        .takes(ValueDescriptor.class)
                        .by(this::change),
                read("", "All value descriptors.").by(this::all),
                read("/{id}", "One value descriptor.")
                        .gives(ValueDescriptor.class)
                        .by(request -> one(descriptors::get, "id", request)),
                read("/name/{name}", "The value descriptor of a name.")
                        .gives(ValueDescriptor.class)
                        .by(request -> one(descriptors::find, "name", request)),
                Route.delete(PATH + "/id/{id}")
                        .needs(Role.OPERATOR, EventsApi.ROOM)
                        .about("Deletes a value descriptor that no reading needs.")
                        .by(this::delete),
                Route.delete(PATH + "/name/{name}")
                        .needs(Role.OPERATOR, EventsApi.ROOM)
                        .about("Deletes the value descriptor of a name that no reading has.")
                        .by(this::deleteByName),
                read("/uomlabel/{uomLabel}", "The value descriptors with a unit of measure.")
                        .by(
                                request ->
                                        EdgexAnswers.list(
                                                descriptors.withUnit(
                                                        request.variable("uomLabel")))),
                read("/label/{label}", "The value descriptors with a label.")
                        .by(
                                request ->
                                        EdgexAnswers.list(
                                                descriptors.withLabel(request.variable("label")))),
                read("/devicename/{device}", "The value descriptors of what a device can do.")
                        .by(request -> ofDevice(metadata.deviceNamed(request.variable("device")))),
                read("/deviceid/{id}", "The same for a device by its id.")
                        .by(request -> ofDevice(metadata.device(request.variable("id")))),
                read("/usage", "Which value descriptors have readings.")
                        .parameter("names", "separated by commas; without it, all")
                        .by(this::usage));
    }

    private static Route.Draft read(String path, String about) {
        return Route.get(PATH + path).needs(Role.VIEWER, EventsApi.ROOM).about(about);
    }

    private Answer add(Request request) {
        return switch (descriptors.add(EdgexJson.read(request.body(), ValueDescriptor.class))) {
            case Taken.Stored(String id) -> EdgexAnswers.text(200, id);
            case Refused why -> ReadingsErrors.USUAL.answer(why);
        };
    }

    private Answer change(Request request) {
        return done(descriptors.change(EdgexJson.read(request.body(), ValueDescriptor.class)));
    }

    private Answer delete(Request request) {
        return done(descriptors.delete(request.variable("id")));
    }

    private Answer deleteByName(Request request) {
        return done(descriptors.deleteByName(request.variable("name")));
    }

    private static Answer done(Optional<Refused> refusal) {
        return refusal.map(ReadingsErrors.USUAL::answer).orElseGet(() -> EdgexAnswers.done(200));
    }

    private Answer all(Request request) {
        mustNotBeTooMany(descriptors.count());
        return EdgexAnswers.list(descriptors.all());
    }

    private Answer usage(Request request) {
        String names = request.query("names").orElse("");
        List<String> asked = new ArrayList<>();
        if (names.isEmpty()) {
            mustNotBeTooMany(descriptors.count());
            descriptors.all().forEachRemaining(each -> asked.add(each.nameOrEmpty()));
        } else {
            List<String> wanted = List.of(names.split(",", -1));
            mustNotBeTooMany(wanted.size());
            descriptors.named(wanted).forEach(each -> asked.add(each.nameOrEmpty()));
        }
        List<Boolean> used = descriptors.areUsed(asked);
        List<Map<String, Boolean>> answer = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            answer.add(Map.of(asked.get(i), used.get(i)));
        }
        return EdgexAnswers.json(answer);
    }

    private Answer ofDevice(Metadata.Reply<List<String>> valueNames) {
        return switch (valueNames) {
            case Metadata.Reply.Known<List<String>>(var names) ->
                    EdgexAnswers.json(descriptors.named(names));
            case Metadata.Reply.Refused<List<String>>(Metadata.Why why) ->
                    ReadingsErrors.USUAL.answer(new Refused.NoDevice(why));
        };
    }

    private void mustNotBeTooMany(long count) {
        if (count > most) {
            throw Problem.of(
                    Code.TOO_LARGE,
                    "%d value descriptors match; one answer returns at most %d (readings.max-results)."
                            .formatted(count, most));
        }
    }

    private static Answer one(
            Function<String, Optional<ValueDescriptor>> find, String by, Request request) {
        String what = request.variable(by);
        return find.apply(what)
                .map(EdgexAnswers::json)
                .orElseGet(() -> ReadingsErrors.USUAL.answer(ValueDescriptors.unknown(by, what)));
    }
}
