package dev.millrace.hub.shop.visits;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Views and popularity over HTTP. */
final class ViewsApi {
    private static final String ROOM = "shop";
    private static final String PATH = "/shop/sessions/{token}/views";
    private static final int MOST_PLACES = 1000;

    private final Visits visits;
    private final SessionStore store;
    private final PopularStore popular;
    private final ViewSettings settings;
    private final InstantSource clock;

    ViewsApi(
            Visits visits,
            SessionStore store,
            PopularStore popular,
            ViewSettings settings,
            InstantSource clock) {
        this.visits = visits;
        this.store = store;
        this.popular = popular;
        this.settings = settings;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.post(PATH)
                        .needs(Role.OPERATOR, ROOM)
                        .about("A visitor looks at an item.")
                        .takes(NewView.class)
                        .gives(View.class)
                        .by(this::view),
                Route.get(PATH)
                        .needs(Role.VIEWER, ROOM)
                        .about("What a visitor looked at, the newest first.")
                        .parameter("limit", "how many at most")
                        .by(this::views),
                Route.delete(PATH)
                        .needs(Role.OPERATOR, ROOM)
                        .about("Forgets what a visitor looked at.")
                        .by(this::forgetAll),
                Route.delete(PATH + "/{item:slashed}")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Forgets that a visitor looked at an item.")
                        .by(this::forget),
                Route.get("/shop/items/popular")
                        .needs(Role.VIEWER, ROOM)
                        .about("The most popular items, the first one first.")
                        .parameter("limit", "how many at most")
                        .parameter("offset", "how many are passed over")
                        .by(this::top),
                Route.get("/shop/items/{item:slashed}/popularity")
                        .needs(Role.VIEWER, ROOM)
                        .about("How popular an item is.")
                        .gives(Popular.class)
                        .by(this::popularity),
                Route.post("/shop/popularity/rescale")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Halves the popularity of all items now, and drops the last ones.")
                        .gives(PopularStore.Rescaled.class)
                        .by(this::rescale));
    }

    private record NewView(@Nullable String item) {}

    /**
     * A view.
     *
     * @param atEpoch as it stands in {@code viewed:{token}}
     */
    private record View(String item, String at, double atEpoch) {
        static View of(String item, Instant at) {
            return new View(item, at.toString(), SessionView.epoch(at));
        }
    }

    private record Place(String item, long rank, double views) {}

    private record Popular(String item, @Nullable Long rank, double views, boolean cacheable) {}

    private Answer view(Request request) {
        String token = ShopErrors.token(request);
        String item = ShopErrors.namedIn(request.json(NewView.class).item(), "item");
        return visits.view(token, SessionStore.Touch.of(false, Optional.empty(), Optional.of(item)))
                .map(touched -> Answer.json(View.of(item, touched.viewed())))
                .orElseThrow(SessionsApi::unknown);
    }

    private Answer views(Request request) {
        String token = ShopErrors.token(request);
        int most = request.number("limit", settings.kept(), 1, MOST_PLACES);
        return Answer.json(
                store.views(token, most).stream()
                        .map(each -> View.of(each.item(), each.at()))
                        .toList());
    }

    private Answer forgetAll(Request request) {
        store.forgetViews(ShopErrors.token(request));
        return Answer.empty(204);
    }

    private Answer forget(Request request) {
        store.forgetView(ShopErrors.token(request), ShopErrors.item(request));
        return Answer.empty(204);
    }

    private Answer top(Request request) {
        int limit = request.number("limit", 100, 1, MOST_PLACES);
        int offset = request.number("offset", 0, 0, popular.most());
        List<Place> places = new ArrayList<>();
        for (Ranking.Place each : popular.top(offset, limit)) {
            places.add(new Place(each.item(), offset + places.size(), -each.score()));
        }
        return Answer.json(places);
    }

    private Answer popularity(Request request) {
        String item = ShopErrors.item(request);
        return Answer.json(
                popular.find(item)
                        .map(
                                found ->
                                        new Popular(
                                                item,
                                                found.rank(),
                                                found.views(),
                                                found.rank() < settings.cacheable()))
                        .orElseGet(() -> new Popular(item, null, 0, false)));
    }

    private Answer rescale(Request request) {
        return Answer.json(popular.rescale(clock.instant().getEpochSecond()));
    }
}
