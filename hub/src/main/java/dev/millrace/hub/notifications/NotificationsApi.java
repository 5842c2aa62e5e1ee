package dev.millrace.hub.notifications;

import static dev.millrace.hub.notifications.ListsApi.millis;
import static dev.millrace.hub.notifications.ListsApi.several;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.keyspace.commit.Stored;

import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/** {@code /api/v1/notification} and {@code /api/v1/cleanup}. */
final class NotificationsApi {
    static final String ROOM = "notifications";
    private static final String PATH = "/api/v1/notification";

    private final NotificationsService service;
    private final NotificationStore store;
    private final ListsApi lists;

    NotificationsApi(NotificationsService service, NotificationStore store, ListsApi lists) {
        this.service = service;
        this.store = store;
        this.lists = lists;
    }

    List<Route> routes() {
        return List.of(
                write(Route.post(PATH), "Takes a notification, to be delivered; gives its id.")
                        .takes(Notification.class)
                        .givesType("text/plain")
                        .by(this::post),
                read("/{id}", "One notification.")
                        .gives(Notification.class)
                        .by(request -> one(request.variable("id"))),
                write(Route.delete(PATH + "/{id}"), "Deletes a notification and its transmissions.")
                        .by(request -> delete(request.variable("id"))),
                read("/slug/{slug}", "The notification with this slug.")
                        .gives(Notification.class)
                        .by(request -> bySlug(request.variable("slug"))),
                write(
                                Route.delete(PATH + "/slug/{slug}"),
                                "Deletes the notification with this slug and its transmissions.")
                        .by(request -> deleteBySlug(request.variable("slug"))),
                write(
                                Route.delete(PATH + "/age/{age:digits}"),
                                "Deletes what is processed and unchanged for so many ms.")
                        .by(this::deleteOld),
                read("/sender/{sender}/{limit:digits}", "Those of one sender.").by(this::bySender),
                read(
                                "/start/{start}/end/{end}/{limit:digits}",
                                "Those created from one time to another, oldest first.")
                        .by(request -> created(request, from(request), to(request))),
                read("/start/{start}/{limit:digits}", "Those created since then, oldest first.")
                        .parameter("none", "list: none of them is an empty list, and not a 404")
                        .by(request -> created(request, from(request), Double.POSITIVE_INFINITY)),
                read("/end/{end}/{limit:digits}", "Those created until then, oldest first.")
                        .by(request -> created(request, Double.NEGATIVE_INFINITY, to(request))),
                read(
                                "/labels/{labels}/{limit:digits}",
                                "Those with any of these labels, separated by commas.")
                        .by(this::byLabels),
                read("/new/{limit:digits}", "Those that wait for the next batch.").by(this::byNew),
                write(Route.delete("/api/v1/cleanup"), "Deletes all notifications.")
                        .by(request -> cleanUp(0)),
                write(
                                Route.delete("/api/v1/cleanup/age/{age:digits}"),
                                "Deletes notifications created so many ms ago or earlier.")
                        .by(request -> cleanUp(millis(request, "age"))));
    }

    private static Route.Draft read(String path, String about) {
        return Route.get(PATH + path).needs(Role.VIEWER, ROOM).about(about);
    }

    private static Route.Draft write(Route.Draft route, String about) {
        return route.needs(Role.OPERATOR, ROOM).about(about);
    }

    private static double from(Request request) {
        return (double) millis(request, "start");
    }

    private static double to(Request request) {
        return (double) millis(request, "end");
    }

    private Answer post(Request request) {
        return switch (service.add(EdgexJson.read(request.body(), Notification.class))) {
            case Accepted.Stored(String id) -> EdgexAnswers.text(202, id);
            case Accepted.Refused why -> NotificationsErrors.answer(why);
        };
    }

    private Answer one(String id) {
        return EdgexAnswers.json(store.get(id).map(Stored::value).orElseThrow(() -> unknown(id)));
    }

    private Answer bySlug(String slug) {
        return EdgexAnswers.json(
                store.bySlug(slug).map(Stored::value).orElseThrow(() -> unknown(slug)));
    }

    private Answer delete(String id) {
        return done(service.deleteNotification(id), id);
    }

    private Answer deleteBySlug(String slug) {
        return done(service.deleteNotificationWithSlug(slug), slug);
    }

    private static Answer done(boolean there, String which) {
        if (!there) {
            throw unknown(which);
        }
        return EdgexAnswers.done(200);
    }

    private static Problem unknown(String which) {
        return Problem.of(Code.NOT_FOUND, "Notification '%s' not found".formatted(which));
    }

    private Answer deleteOld(Request request) {
        service.deleteProcessed(millis(request, "age"));
        return EdgexAnswers.done(200);
    }

    private Answer cleanUp(long age) {
        service.cleanUp(age);
        return EdgexAnswers.done(202);
    }

    private Answer bySender(Request request) {
        int limit = lists.limit(request);
        return found(store.bySender(request.variable("sender"), limit), limit);
    }

    private Answer created(Request request, double from, double to) {
        int limit = lists.limit(request);
        Iterator<Stored<Notification>> all = store.byCreated(from, to, limit);
        return request.query("none").filter("list"::equals).isPresent()
                ? ListsApi.answer(all, limit, UnaryOperator.identity())
                : found(all, limit);
    }

    private Answer byLabels(Request request) {
        int limit = lists.limit(request);
        return found(store.byLabels(several(request, "labels"), limit), limit);
    }

    private Answer byNew(Request request) {
        int limit = lists.limit(request);
        return found(store.byStatus(NotificationStatus.NEW, limit), limit);
    }

    private static Answer found(Iterator<Stored<Notification>> all, int limit) {
        return ListsApi.answerOr404(all, limit, UnaryOperator.identity(), "Notification not found");
    }
}
