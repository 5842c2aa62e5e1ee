package dev.millrace.hub.shop.visits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * All sessions, and those of a user, over HTTP. Who has a token can be whom it stands for, so lists
 * of them take an operator.
 */
final class SessionListApi {
    private static final String ROOM = "shop";
    private static final int MOST = 1000;

    private final SessionBook book;
    private final Housekeeping cleaner;
    private final SessionSettings settings;

    SessionListApi(SessionBook book, Housekeeping cleaner, SessionSettings settings) {
        this.book = book;
        this.cleaner = cleaner;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/shop/sessions")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Sessions, without attributes, the one seen last first.")
                        .parameter("limit", "how many at most")
                        .parameter("cursor", "where to go on, from the answer before")
                        .gives(Page.class)
                        .by(this::page),
                Route.get("/shop/sessions/stats")
                        .needs(Role.VIEWER, ROOM)
                        .about("How many sessions there are, and how many were cleaned away.")
                        .gives(Stats.class)
                        .by(this::stats),
                Route.post("/shop/sessions/clean")
                        .needs(Role.OPERATOR, ROOM)
                        .about("One round of the cleaner now.")
                        .takes(Round.class)
                        .gives(Removed.class)
                        .by(this::clean),
                Route.get("/shop/users/{user:slashed}/sessions")
                        .needs(Role.OPERATOR, ROOM)
                        .about("The sessions of a user, the one seen last first.")
                        .parameter("limit", "how many at most")
                        .gives(Page.class)
                        .by(this::ofUser),
                Route.delete("/shop/users/{user:slashed}/sessions")
                        .needs(Role.OPERATOR, ROOM)
                        .about("Ends all sessions of a user.")
                        .gives(Count.class)
                        .by(this::endAll));
    }

    private record Page(List<SessionView> sessions, @Nullable String cursor) {}

    private record Stats(long count, int limit, @Nullable String oldest, long cleaned) {}

    private record Round(@Nullable JsonNode limit, @Nullable JsonNode batch) {}

    private record Removed(long removed) {}

    private record Count(long count) {}

    private Answer page(Request request) {
        int limit = request.number("limit", 100, 1, MOST);
        SessionBook.Listed listed = book.page(request.query("cursor").map(this::spot), limit);
        return Answer.json(
                new Page(views(listed.sessions()), listed.next().map(this::cursor).orElse(null)));
    }

    private List<SessionView> views(List<Session> sessions) {
        return sessions.stream().map(each -> SessionView.of(each, settings.idle())).toList();
    }

    private String cursor(SessionBook.Spot spot) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((spot.score() + ' ' + spot.token()).getBytes(UTF_8));
    }

    private SessionBook.Spot spot(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
            int blank = text.indexOf(' ');
            if (blank > 0 && Words.decimal(text.substring(0, blank)).isPresent()) {
                return new SessionBook.Spot(text.substring(0, blank), text.substring(blank + 1));
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw Problem.of(Code.BAD_PARAMETER, "cursor must come from an answer of this path.");
    }

    private Answer stats(Request request) {
        SessionBook.Stand stand = book.look();
        return Answer.json(
                new Stats(
                        stand.count(),
                        settings.limit(),
                        stand.oldest().map(Instant::toString).orElse(null),
                        stand.cleaned()));
    }

    private Answer clean(Request request) {
        Round round =
                request.body().length == 0 ? new Round(null, null) : request.json(Round.class);
        int limit = number(round.limit(), "limit", settings.limit(), 0, 1_000_000_000);
        int batch = number(round.batch(), "batch", settings.batch(), 1, MOST);
        return Answer.json(new Removed(cleaner.round(limit, batch)));
    }

    private static int number(
            @Nullable JsonNode value, String what, int standard, int least, int most) {
        Optional<BigInteger> number = ShopErrors.wholeIn(value, what);
        if (number.isEmpty()) {
            return standard;
        }
        if (number.get().compareTo(BigInteger.valueOf(least)) < 0
                || number.get().compareTo(BigInteger.valueOf(most)) > 0) {
            throw ShopErrors.bad("%s must be %d to %d.".formatted(what, least, most));
        }
        return number.get().intValueExact();
    }

    private Answer ofUser(Request request) {
        int limit = request.number("limit", 100, 1, MOST);
        return Answer.json(
                new Page(views(book.ofUser(ShopErrors.named(request, "user"), limit)), null));
    }

    private Answer endAll(Request request) {
        return Answer.json(new Count(book.finishAll(ShopErrors.named(request, "user"))));
    }
}
