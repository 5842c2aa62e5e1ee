package dev.millrace.hub.readings;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.readings.kept.NewestOfNames;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.store.Store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Readings by what their value descriptors say: unit, label or type. */
final class DescribedReadingsApi {
    private final Store<Reading> readings;
    private final ValueDescriptors descriptors;
    private final ReadingsSettings settings;

    DescribedReadingsApi(
            Keyspace keyspace, ValueDescriptors descriptors, ReadingsSettings settings) {
        this.readings = keyspace.store(ReadingsLayouts.READINGS);
        this.descriptors = descriptors;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                route("uomlabel", "unit of measure", descriptors::withUnit),
                route("label", "label", descriptors::withLabel),
                route("type", "type", descriptors::ofType));
    }

    private Route route(
            String what, String words, Function<String, Iterator<ValueDescriptor>> described) {
        return Route.get("/api/v1/reading/%s/{value}/{limit:digits}".formatted(what))
                .needs(Role.VIEWER, EventsApi.ROOM)
                .about(
                        "Readings whose value descriptor has this %s, newest first."
                                .formatted(words))
                .by(request -> newest(request, described));
    }

    private Answer newest(Request request, Function<String, Iterator<ValueDescriptor>> described) {
        long limit = EventsApi.limit(request, settings.maxResults());
        List<String> names = new ArrayList<>();
        described
                .apply(request.variable("value"))
                .forEachRemaining(each -> names.add(each.nameOrEmpty()));
        return EdgexAnswers.list(new NewestOfNames(readings, names, limit));
    }
}
