package dev.millrace.hub.notifications;

import static dev.millrace.hub.notifications.ListsApi.several;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.keyspace.commit.Stored;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * {@code /api/v1/subscription}. To change one takes the role of an engineer: it says where data
 * goes.
 */
final class SubscriptionsApi {
    private static final String PATH = "/api/v1/subscription";

    private final NotificationsService service;
    private final SubscriptionStore store;

    SubscriptionsApi(NotificationsService service, SubscriptionStore store) {
        this.service = service;
        this.store = store;
    }

    List<Route> routes() {
        return List.of(
                read("", "All subscriptions.").by(request -> list(store.all())),
                write(Route.post(PATH), "Makes a subscription; gives its slug.")
                        .takes(Subscription.class)
                        .givesType("text/plain")
                        .by(this::post),
                write(Route.put(PATH), "Replaces the subscription with the slug in the body.")
                        .takes(Subscription.class)
                        .by(this::put),
                read("/{id}", "One subscription.")
                        .gives(Subscription.class)
                        .by(
                                request ->
                                        one(
                                                store.get(request.variable("id")),
                                                request.variable("id"))),
                write(
                                Route.delete(PATH + "/{id}"),
                                "Deletes a subscription, with what waits to be sent to it.")
                        .by(this::delete),
                read("/slug/{slug}", "The subscription with this slug.")
                        .gives(Subscription.class)
                        .by(
                                request ->
                                        one(
                                                store.bySlug(request.variable("slug")),
                                                request.variable("slug"))),
                write(
                                Route.delete(PATH + "/slug/{slug}"),
                                "Deletes the subscription with this slug.")
                        .by(this::deleteBySlug),
                read(
                                "/categories/{categories}",
                                "Those with any of these categories, separated by commas.")
                        .by(this::byCategories),
                read("/labels/{labels}", "Those with any of these labels, separated by commas.")
                        .by(request -> list(store.byAny(List.of(), several(request, "labels")))),
                read(
                                "/categories/{categories}/labels/{labels}",
                                "Those with any of these categories or any of these labels.")
                        .by(
                                request ->
                                        list(
                                                store.byAny(
                                                        several(request, "categories"),
                                                        several(request, "labels")))),
                read("/receiver/{receiver}", "Those of one receiver.")
                        .by(request -> list(store.byReceiver(request.variable("receiver")))));
    }

    private static Route.Draft read(String path, String about) {
        return Route.get(PATH + path).needs(Role.VIEWER, NotificationsApi.ROOM).about(about);
    }

    private static Route.Draft write(Route.Draft route, String about) {
        return route.needs(Role.ENGINEER, NotificationsApi.ROOM).about(about);
    }

    private static Answer list(Iterator<Stored<Subscription>> found) {
        return ListsApi.answer(found, 0, Subscription::shown);
    }

    private static Answer one(Optional<Stored<Subscription>> found, String which) {
        return EdgexAnswers.json(
                found.map(Stored::value)
                        .map(Subscription::shown)
                        .orElseThrow(() -> unknown(which)));
    }

    private static Problem unknown(String which) {
        return Problem.of(Code.NOT_FOUND, "Subscription '%s' not found".formatted(which));
    }

    private Answer post(Request request) {
        Subscription given = EdgexJson.read(request.body(), Subscription.class);
        return switch (service.add(given)) {
            case Accepted.Stored stored -> EdgexAnswers.text(201, given.slug());
            case Accepted.Refused why -> NotificationsErrors.answer(why);
        };
    }

    private Answer put(Request request) {
        return switch (service.replace(EdgexJson.read(request.body(), Subscription.class))) {
            case Accepted.Stored stored -> EdgexAnswers.done(200);
            case Accepted.Refused why -> NotificationsErrors.answer(why);
        };
    }

    /** The first version of this API answers this one with nothing. */
    private Answer delete(Request request) {
        String id = request.variable("id");
        if (!service.delete(store.get(id))) {
            throw unknown(id);
        }
        return Answer.bytes(200, "application/json", new byte[0]);
    }

    private Answer deleteBySlug(Request request) {
        String slug = request.variable("slug");
        if (!service.delete(store.bySlug(slug))) {
            throw unknown(slug);
        }
        return EdgexAnswers.done(200);
    }

    private Answer byCategories(Request request) {
        return ListsApi.answerOr404(
                store.byAny(several(request, "categories"), List.of()),
                0,
                Subscription::shown,
                "Subscription not found");
    }
}
