package dev.millrace.hub.notifications;

import static dev.millrace.hub.notifications.ListsApi.millis;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.keyspace.commit.Stored;

import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/** {@code /api/v1/transmission}. */
final class TransmissionsApi {
    private static final String PATH = "/api/v1/transmission";

    private final NotificationsService service;
    private final TransmissionStore store;
    private final ListsApi lists;

    TransmissionsApi(NotificationsService service, TransmissionStore store, ListsApi lists) {
        this.service = service;
        this.store = store;
        this.lists = lists;
    }

    List<Route> routes() {
        return List.of(
                Route.post(PATH)
                        .needs(Role.OPERATOR, NotificationsApi.ROOM)
                        .about("Takes a transmission of somewhere else; gives its id.")
                        .takes(Transmission.class)
                        .givesType("text/plain")
                        .by(this::post),
                read("/slug/{slug}/{limit:digits}", "Those of one notification, oldest first.")
                        .by(request -> bySlug(request, Long.MIN_VALUE, Long.MAX_VALUE)),
                read(
                                "/slug/{slug}/start/{start}/end/{end}/{limit}",
                                "Those of one notification, created in this time, oldest first.")
                        .by(
                                request ->
                                        bySlug(
                                                request,
                                                millis(request, "start"),
                                                millis(request, "end"))),
                read(
                                "/start/{start}/end/{end}/{limit:digits}",
                                "Those created from one time to another, oldest first.")
                        .by(request -> created(request, from(request), to(request))),
                read("/start/{start}/{limit:digits}", "Those created since then, oldest first.")
                        .by(request -> created(request, from(request), Double.POSITIVE_INFINITY)),
                read("/end/{end}/{limit:digits}", "Those created until then, oldest first.")
                        .by(request -> created(request, Double.NEGATIVE_INFINITY, to(request))),
                read("/escalated/{limit:digits}", "Those that were given up and escalated.")
                        .by(request -> byStatus(request, TransmissionStatus.TRXESCALATED)),
                read("/failed/{limit:digits}", "Those whose last attempt failed.")
                        .by(request -> byStatus(request, TransmissionStatus.FAILED)),
                old("sent", TransmissionStatus.SENT),
                old("escalated", TransmissionStatus.TRXESCALATED),
                old("acknowledged", TransmissionStatus.ACKNOWLEDGED),
                old("failed", TransmissionStatus.FAILED));
    }

    private static Route.Draft read(String path, String about) {
        return Route.get(PATH + path).needs(Role.VIEWER, NotificationsApi.ROOM).about(about);
    }

    private static double from(Request request) {
        return (double) millis(request, "start");
    }

    private static double to(Request request) {
        return (double) millis(request, "end");
    }

    private Route old(String word, TransmissionStatus status) {
        return Route.delete(PATH + "/" + word + "/age/{age:digits}")
                .needs(Role.OPERATOR, NotificationsApi.ROOM)
                .about("Deletes those that are %s and unchanged for so many ms.".formatted(word))
                .by(request -> deleteOld(request, status));
    }

    private Answer post(Request request) {
        return switch (service.add(EdgexJson.read(request.body(), Transmission.class))) {
            case Accepted.Stored(String id) -> EdgexAnswers.text(200, id);
            case Accepted.Refused why -> NotificationsErrors.answer(why);
        };
    }

    private Answer bySlug(Request request, long from, long to) {
        int limit = lists.limit(request);
        return list(store.bySlug(request.variable("slug"), from, to, limit), limit);
    }

    private Answer created(Request request, double from, double to) {
        int limit = lists.limit(request);
        return list(store.byCreated(from, to, limit), limit);
    }

    private Answer byStatus(Request request, TransmissionStatus status) {
        int limit = lists.limit(request);
        return list(store.byStatus(status, limit), limit);
    }

    private static Answer list(Iterator<Stored<Transmission>> found, int limit) {
        return ListsApi.answer(found, limit, UnaryOperator.identity());
    }

    private Answer deleteOld(Request request, TransmissionStatus status) {
        service.deleteTransmissions(status, millis(request, "age"));
        return EdgexAnswers.done(200);
    }
}
