package dev.millrace.hub.site;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Event queues over HTTP. */
final class QueuesApi {
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int STANDARD = 100;

    private final Queues queues;

    QueuesApi(Queues queues) {
        this.queues = queues;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                        "/api/queues",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about("Which events there are, and how many of each."),
                        request -> EmsAnswer.ok(Map.of("queues", queues.sizes())))
                .get(
                        "/api/queues/{type}",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about(
                                                "Events of one type: the newest first, or those"
                                                        + " behind a number, the oldest first.")
                                        .parameter("since_seq", "only what has a larger number")
                                        .parameter("limit", "at most so many, up to 1000"),
                        this::events)
                .get(
                        "/api/queues/{type}/last",
                        route ->
                                route.needs(Role.VIEWER, SiteRoom.NAME)
                                        .about(
                                                "The newest event, if it is not older than an"
                                                        + " hour."),
                        this::last)
                .post(
                        "/api/queues/{type}",
                        route ->
                                route.needs(Role.OPERATOR, SiteRoom.NAME)
                                        .about("Appends an event: any JSON object."),
                        this::append);
    }

    private static String type(EmsRequest request) {
        String type = request.variable("type");
        if (!TYPE.matcher(type).matches()) {
            throw Refused.of(
                            EmsCode.INVALID_PARAMETER,
                            "A type has 1 to 128 letters, digits and _ . -, beginning with a letter"
                                    + " or digit.")
                    .exception();
        }
        return type;
    }

    private EmsAnswer events(EmsRequest request) {
        String type = type(request);
        int most = request.number("limit", STANDARD, 1, SiteKeys.MOST_EVENTS);
        Queues.Some some =
                request.query("since_seq")
                        .map(text -> queues.since(type, number(text), most))
                        .orElseGet(() -> queues.newest(type, most));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("type", type);
        view.put("items", some.events());
        view.put("total", some.total());
        view.put("next_seq", some.next());
        view.put("missed", some.missed());
        return EmsAnswer.ok(view).orBare(some.events());
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw Refused.of(EmsCode.INVALID_PARAMETER, "since_seq must be a whole number.")
                    .exception();
        }
        return Long.parseLong(text);
    }

    private EmsAnswer last(EmsRequest request) {
        return queues.last(type(request))
                .map(EmsAnswer::ok)
                .orElseThrow(
                        () ->
                                Refused.of(EmsCode.NOT_FOUND, "There was none within an hour.")
                                        .exception());
    }

    private EmsAnswer append(EmsRequest request) {
        String type = type(request);
        return switch (queues.append(type, request.object())) {
            case Queues.Appended.Done(long number) ->
                    EmsAnswer.created("/api/queues/" + type, Map.of("type", type, "seq", number));
            case Queues.Appended.Not(Refused why) -> throw why.exception();
        };
    }
}
