package dev.millrace.hub.shop.visits;

import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Sessions, views and popularity, opened: for the rooms beside, who a visitor is and that he was
 * here. Thread-safe.
 */
public final class Visits implements AutoCloseable {
    private final SessionSettings settings;
    private final ViewSettings views;
    private final SessionBook book;
    private final SessionStore store;
    private final Popularity popularity;
    private final Housekeeping housekeeping;
    private final List<Route> routes;

    /**
     * Opens them.
     *
     * @param cartIdle how long a cart is kept whose session ends
     */
    public Visits(House house, SessionSettings settings, ViewSettings views, Duration cartIdle) {
        this.settings = settings;
        this.views = views;
        Keyspace keyspace = house.keyspace();
        PopularStore popular = new PopularStore(keyspace, views);
        this.store = new SessionStore(keyspace, settings, views, popular, house.clock());
        this.popularity = new Popularity(popular, views);
        this.book = new SessionBook(keyspace, settings, house.clock());
        this.housekeeping =
                new Housekeeping(
                        keyspace, book, popular, settings, views, house.figures(), house.clock());
        Sessions sessions = new Sessions(store, this, settings);
        this.routes =
                Stream.of(
                                new SessionListApi(book, housekeeping, settings).routes(),
                                new SessionsApi(sessions, settings.cookie(), cartIdle).routes(),
                                new ViewsApi(this, store, popular, views, house.clock()).routes())
                        .flatMap(List::stream)
                        .toList();
    }

    public Popularity popularity() {
        return popularity;
    }

    public List<Route> routes() {
        return routes;
    }

    /** How sessions stand. */
    public Map<String, Object> sessionStats() {
        SessionBook.Stand stand = book.look();
        Map<String, Object> stats = new LinkedHashMap<>();
        stats.put("count", stand.count());
        stats.put("limit", settings.limit());
        stats.put("cleaned", stand.cleaned());
        return stats;
    }

    /** What counts as popular. */
    public Map<String, Object> viewStats() {
        return Map.of(
                "cacheable", views.cacheable(), "rescaleSeconds", views.rescale().toSeconds());
    }

    /** The name of the cookie that carries a visitor's token. */
    public String cookie() {
        return settings.cookie().name();
    }

    /** Somebody comes who has no session, or gives himself a name: the token of a new one. */
    public String begin(String user) {
        String token = Names.newToken();
        var _ =
                store.touch(
                        token, SessionStore.Touch.of(true, Optional.of(user), Optional.empty()));
        return token;
    }

    /** Whose token this is: empty text for a visitor who has not said, nothing if nobody has it. */
    public Optional<String> user(String token) {
        return Names.isToken(token) ? store.get(token).map(Session::user) : Optional.empty();
    }

    /**
     * A visitor looks at an item: his session is in use, the view is noted, and counts for the
     * popularity of the item.
     *
     * @return whether there is such a session; else nothing is noted
     */
    public boolean view(String token, String item) {
        if (!Names.isToken(token) || !Names.isItem(item)) {
            return false;
        }
        return view(token, SessionStore.Touch.of(false, Optional.empty(), Optional.of(item)))
                .isPresent();
    }

    Optional<SessionStore.Touched> view(String token, SessionStore.Touch touch) {
        Optional<SessionStore.Touched> touched = store.touch(token, touch);
        if (touched.isPresent() && touched.get().counted()) {
            touch.item().ifPresent(popularity::counted);
        }
        return touched;
    }

    @Override
    public void close() {
        housekeeping.close();
    }
}
