package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Asked;
import dev.millrace.hub.http.proxy.Desk;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.hub.shop.pages.PageFigures.How;
import dev.millrace.hub.shop.pages.rfc.Fields;
import dev.millrace.hub.shop.pages.rfc.Lifetime;
import dev.millrace.hub.shop.pages.rfc.Using;
import dev.millrace.hub.shop.pages.rfc.Varying;
import dev.millrace.hub.shop.visits.Popularity;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Decides about every request that comes to the proxy: whether it is for a page that may be kept,
 * whether it is here, whether it may be given to this client. Popular pages are answered on the
 * event loop that read the request, from a copy in this process, without asking anybody.
 */
final class PageDesk implements Desk {
    /** Who has waited so often asks himself. */
    private static final int MOST_ROUNDS = 3;

    private static final Set<String> SAFE = Set.of("GET", "HEAD");
    private static final Set<String> HARMLESS = Set.of("OPTIONS", "TRACE");

    private final PagesSettings settings;
    private final Addresses addresses;
    private final Popularity popularity;
    private final Near near;
    private final Flights flights;
    private final PageViews views;
    private final PageFigures figures;
    private final Purging purging;
    private final InstantSource clock;

    PageDesk(
            PagesSettings settings,
            Addresses addresses,
            Popularity popularity,
            Near near,
            Flights flights,
            PageViews views,
            PageFigures figures,
            Purging purging,
            InstantSource clock) {
        this.settings = settings;
        this.addresses = addresses;
        this.popularity = popularity;
        this.near = near;
        this.flights = flights;
        this.views = views;
        this.figures = figures;
        this.purging = purging;
        this.clock = clock;
    }

    @Override
    public Turn turn(Asked asked) {
        if (asked.method().equals("PURGE")) {
            return purging.asked(asked);
        }
        Address address = addresses.of(asked.host(), asked.target(), asked.addressTold());
        if (!SAFE.contains(asked.method())) {
            figures.count(How.PASS);
            return HARMLESS.contains(asked.method())
                    ? Turn.Fetch.asItIs(new Passing("fwd=method"))
                    : Turn.Fetch.asItIs(new Changing(address, addresses, purging));
        }
        if (address.item().isEmpty()) {
            return pass("fwd=bypass");
        }
        PageRequest request =
                new PageRequest(
                        asked,
                        new Fields(asked.headers()),
                        address,
                        address.item().get(),
                        clock.millis(),
                        0);
        Optional<Boolean> popular = popularity.cacheableAtOnce(request.item());
        if (popular.isPresent()) {
            return turn(request, popular.get());
        }
        CompletableFuture<Turn> turn = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> turn.complete(turn(request, popularity.cacheable(request.item()))));
        return new Turn.Later(turn);
    }

    private Turn turn(PageRequest request, boolean popular) {
        if (!popular || request.isPeculiar() || isPersonal(request)) {
            return pass(request, How.PASS, "fwd=bypass");
        }
        return decide(request);
    }

    /** All its Cookie headers count: the application reads them as one. */
    private boolean isPersonal(PageRequest request) {
        if (settings.personalCookies().isEmpty()) {
            return false;
        }
        for (String each : request.fields().joined("Cookie").split("[;,\\s]+", -1)) {
            int equals = each.indexOf('=');
            if (settings.personalCookies()
                    .contains(equals < 0 ? each : each.substring(0, equals))) {
                return true;
            }
        }
        return false;
    }

    private Turn pass(String how) {
        figures.count(How.PASS);
        return Turn.Fetch.asItIs(new Passing(how));
    }

    /** The application answers this client, and nobody else. */
    private Turn pass(PageRequest request, How how, String status) {
        figures.count(how);
        return Turn.Fetch.asItIs(
                new Passing(status, () -> views.seen(request.asked(), request.item())));
    }

    // ------------------------------------------------------------------ what is here

    /** What becomes of a request for a page that may be here. */
    private Turn decide(PageRequest request) {
        return decide(request, near::find);
    }

    /** The same after a flight for it has landed. */
    Turn decide(PageRequest request, Flight flight) {
        return decide(
                request,
                hash -> {
                    Near.Copy copy = near.find(hash);
                    return copy == null ? flight.brought(hash, near.purges()) : copy;
                });
    }

    private Turn decide(PageRequest request, Function<String, Near.@Nullable Copy> copies) {
        String hash = request.address().hash();
        Near.Copy copy = copies.apply(hash);
        if (copy != null && copy.known instanceof Known.Varies(_, _, _, List<String> headers)) {
            look(hash, copy);
            hash = Addresses.variant(hash, headers, Varying.values(headers, request.fields()));
            copy = copies.apply(hash);
        }
        if (copy == null || (copy.old() && !flights.hears() && !flights.away())) {
            return ask(request, hash, Optional.empty());
        }
        look(hash, copy);
        return switch (copy.known) {
            case Known.Uncacheable(_, _, _, String why, long until) ->
                    until > clock.millis()
                            ? lookAgain(request, hash, copy, "fwd=bypass; detail=" + why)
                            : ask(request, hash, Optional.empty());
            case Known.Varies varies -> ask(request, hash, Optional.empty());
            case Known.Kept kept ->
                    copy.page == null
                            ? ask(request, hash, Optional.empty())
                            : serve(request, copy, copy.page);
        };
    }

    /** Nobody waits for it; but it may turn out that it can be kept. */
    private Turn lookAgain(PageRequest request, String hash, Near.Copy copy, String status) {
        if (request.isHead()) {
            return pass(request, How.UNCACHEABLE, status);
        }
        figures.count(How.UNCACHEABLE);
        Passing passing = new Passing(status, () -> views.seen(request.asked(), request.item()));
        return Turn.Fetch.asItIs(
                new SecondLook(
                        passing,
                        settings.policy(),
                        request.fields(),
                        () -> flights.unmark(hash, copy)));
    }

    private void look(String hash, Near.Copy copy) {
        if (copy.stored.length > 0 && copy.shouldLook()) {
            flights.compare(hash, copy);
        }
    }

    private Turn serve(PageRequest request, Near.Copy copy, Page page) {
        Lifetime lifetime = page.known.lifetime();
        if (request.fields().has("Authorization") && !lifetime.shared()) {
            return pass(request, How.UNCACHEABLE, "fwd=bypass; detail=authorization");
        }
        long now = clock.millis();
        return switch (using(request, page, now)) {
            case GIVE -> give(request, page, now, request.rounds() > 0 ? How.COLLAPSED : How.HIT);
            case GIVE_AND_REFRESH -> {
                if (!copy.quiet()) {
                    flights.refresh(request, page);
                }
                yield give(request, page, now, How.STALE);
            }
            case ASKED_FOR_ANEW -> ask(request, page.hash, Optional.of(page));
            case REFRESH -> {
                if (copy.quiet() && servesOnError(page, now)) {
                    figures.count(How.STALE);
                    views.seen(request.asked(), request.item());
                    yield PageAnswers.insteadOfFailure(page, request.fields(), now, "");
                }
                yield ask(request, page.hash, Optional.of(page));
            }
            case GONE -> ask(request, page.hash, Optional.of(page));
        };
    }

    /** One who wants the application's word has it, if it came after he asked. */
    Using using(PageRequest request, Page page, long now) {
        boolean obey =
                settings.reload() && (request.rounds() == 0 || page.known.came() < request.came());
        return Using.of(page.known.lifetime(), page.known.ageAt(now), request.fields(), obey);
    }

    static boolean servesOnError(Page page, long now) {
        Lifetime lifetime = page.known.lifetime();
        return page.known.ageAt(now) - lifetime.fresh() < lifetime.onError();
    }

    private Turn give(PageRequest request, Page page, long now, How how) {
        figures.count(how);
        views.seen(request.asked(), request.item());
        return how == How.COLLAPSED
                ? PageAnswers.fetched(page, request.fields(), now, "fwd=miss; collapsed")
                : PageAnswers.hit(page, request.fields(), now);
    }

    // ------------------------------------------------------------------ what is not

    private Turn ask(PageRequest request, String hash, Optional<Page> old) {
        if (Using.onlyIfCached(request.fields())) {
            figures.count(How.FAILED);
            return PageAnswers.notHere();
        }
        if (request.rounds() > MOST_ROUNDS) {
            return pass(request, How.IMPATIENT, "fwd=miss; detail=waited");
        }
        return flights.join(request, hash, old, this);
    }

    /** Without waiting for anybody. */
    Turn askYourself(PageRequest request, How how, String why) {
        return pass(request, how, "fwd=miss; detail=" + why);
    }
}
