package dev.millrace.hub.shop.pages;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.shop.visits.Names;
import dev.millrace.hub.shop.visits.Visits;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The page cache over HTTP: purge it, and see what is in it and why. */
final class PagesApi {
    private static final String ROOM = "shop";
    private static final int LONGEST = 8192;

    private final PageStore store;
    private final Purging purging;
    private final PageFigures figures;
    private final Visits visits;
    private final Supplier<Optional<String>> address;

    PagesApi(
            PageStore store,
            Purging purging,
            PageFigures figures,
            Visits visits,
            Supplier<Optional<String>> address) {
        this.store = store;
        this.purging = purging;
        this.figures = figures;
        this.visits = visits;
        this.address = address;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/shop/cache/purge")
                        .needs(Role.OPERATOR, ROOM)
                        .about(
                                "Takes pages out of the cache: those of a url, an item or a tag, or"
                                        + " all. The same is done by PURGE at the proxy.")
                        .takes(Purge.class)
                        .gives(Purged.class)
                        .by(this::purge),
                Route.get("/shop/cache/pages")
                        .needs(Role.VIEWER, ROOM)
                        .about("What is kept of pages, and why a page is not; newest ends first.")
                        .parameter("limit", "How many; 1 to 500, 50 if not said.")
                        .gives(PageView[].class)
                        .by(this::pages),
                Route.get("/shop/cache/stats")
                        .needs(Role.VIEWER, ROOM)
                        .about("How much is kept, and how requests were answered since the start.")
                        .gives(Stats.class)
                        .by(this::stats));
    }

    private record Purge(
            @Nullable String url,
            @Nullable String item,
            @Nullable String tag,
            @Nullable Boolean all) {}

    private record Purged(long purged) {}

    private Answer purge(Request request) {
        Purge wish = request.json(Purge.class);
        long named =
                Stream.of(wish.url, wish.item, wish.tag).filter(each -> each != null).count()
                        + (Boolean.TRUE.equals(wish.all) ? 1 : 0);
        if (named != 1) {
            throw bad("Say exactly one of url, item, tag, or all: true.");
        }
        if (wish.url != null) {
            return Answer.json(new Purged(purgeUrl(wish.url)));
        }
        if (wish.item != null) {
            if (!Names.isItem(wish.item)) {
                throw bad("item must be 1 to 256 characters, none of which controls anything.");
            }
            return Answer.json(new Purged(purging.purge(Groups.item(wish.item))));
        }
        if (wish.tag != null) {
            if (!Names.isItem(wish.tag)) {
                throw bad("tag must be 1 to 256 characters, none of which controls anything.");
            }
            return Answer.json(new Purged(purging.purge(Groups.tag(wish.tag))));
        }
        return Answer.json(new Purged(purging.purge(Groups.ALL)));
    }

    private long purgeUrl(String text) {
        if (text.length() > LONGEST) {
            throw bad("url is too long.");
        }
        try {
            URI url = new URI(text);
            if (url.getRawAuthority() != null && url.getRawPath() != null) {
                String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
                String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
                return purging.purgeUrl(url.getRawAuthority(), path + query);
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw bad("url must be absolute, as http://shop.example/?item=1.");
    }

    private static Problem bad(String sentence) {
        return Problem.of(Code.BAD_BODY, sentence);
    }

    /** What is kept. */
    private record PageView(
            String hash,
            String kind,
            String url,
            String item,
            @Nullable Integer rank,
            @Nullable Integer status,
            @Nullable Long age,
            @Nullable Long ttl,
            List<String> tags,
            @Nullable String why,
            Instant until) {}

    private Answer pages(Request request) {
        int limit = request.number("limit", 50, 1, 500);
        long now = System.currentTimeMillis();
        return Answer.json(store.newest(limit).stream().map(each -> view(each, now)).toList());
    }

    private PageView view(PageStore.Entry entry, long now) {
        Known known = entry.known();
        OptionalInt found = visits.popularity().rank(known.item());
        Integer rank = found.isPresent() ? found.getAsInt() : null;
        Instant until = Instant.ofEpochMilli(entry.ends());
        return switch (known) {
            case Known.Kept page ->
                    new PageView(
                            entry.hash(),
                            "page",
                            page.url(),
                            page.item(),
                            rank,
                            page.status(),
                            page.ageAt(now) / 1000,
                            Math.floorDiv(page.lifetime().fresh() - page.ageAt(now), 1000),
                            page.tags(),
                            null,
                            until);
            case Known.Varies varies ->
                    new PageView(
                            entry.hash(),
                            "varies",
                            varies.url(),
                            varies.item(),
                            rank,
                            null,
                            null,
                            null,
                            List.of(),
                            "vary: " + String.join(", ", varies.headers()),
                            until);
            case Known.Uncacheable marker ->
                    new PageView(
                            entry.hash(),
                            "uncacheable",
                            marker.url(),
                            marker.item(),
                            rank,
                            null,
                            null,
                            null,
                            List.of(),
                            marker.why(),
                            until);
        };
    }

    /**
     * Figures.
     *
     * @param address where the proxy of this hub listens
     */
    private record Stats(
            @Nullable String address, long pages, long bytes, Map<String, Long> requests) {}

    private Answer stats(Request request) {
        PageStore.Amount amount = store.amount();
        return Answer.json(
                new Stats(
                        address.get().orElse(null),
                        amount.pages(),
                        amount.bytes(),
                        figures.counts()));
    }
}
