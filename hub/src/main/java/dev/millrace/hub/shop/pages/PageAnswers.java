package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.proxy.Content;
import dev.millrace.hub.http.proxy.Failure;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.hub.shop.pages.rfc.Conditions;
import dev.millrace.hub.shop.pages.rfc.Fields;
import dev.millrace.hub.shop.pages.rfc.Range;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What a client is told: a page as it wants it, with its age and where it came from (RFC 9211). */
final class PageAnswers {
    private static final String STATUS = "Cache-Status";
    private static final String CACHE = "pagecache; ";
    private static final Header STALE = new Header("Warning", "110 millrace \"Response is Stale\"");
    private static final Header NOT_REVALIDATED =
            new Header("Warning", "111 millrace \"Revalidation Failed\"");

    /** For the cache alone. */
    static final Set<String> NOT_FOR_CLIENTS =
            Set.of("surrogate-key", "cache-tag", "surrogate-control");

    private PageAnswers() {}

    static Header status(String how) {
        return new Header(STATUS, CACHE + how);
    }

    /** A page that was asked for and not found. */
    static Turn notHere() {
        return new Turn.Give(
                Content.sentence(504, "This page is not in the cache.", status("fwd=miss")),
                List.of());
    }

    static Turn failed(Failure why) {
        return new Turn.Give(
                Content.sentence(why.status(), why.sentence(), status("fwd=miss")), List.of());
    }

    /** A page from here. */
    static Turn hit(Page page, Fields asked, long now) {
        long age = page.known.ageAt(now);
        long left = page.known.lifetime().fresh() - age;
        return give(page, asked, age, status("hit; ttl=" + Math.floorDiv(left, 1000)), left < 0);
    }

    /** A page for which somebody was asked, here or at another hub. */
    static Turn fetched(Page page, Fields asked, long now, String how) {
        long age = page.known.ageAt(now);
        long left = page.known.lifetime().fresh() - age;
        return give(page, asked, age, status(how + "; ttl=" + Math.floorDiv(left, 1000)), left < 0);
    }

    /** A page that is given although it is old, because there is no newer one. */
    static Turn insteadOfFailure(Page page, Fields asked, long now, String why) {
        long age = page.known.ageAt(now);
        long left = page.known.lifetime().fresh() - age;
        Turn.Give given =
                give(
                        page,
                        asked,
                        age,
                        status("fwd=stale" + why + "; ttl=" + Math.floorDiv(left, 1000)),
                        left < 0);
        List<Header> more = new ArrayList<>(given.more());
        more.add(NOT_REVALIDATED);
        return new Turn.Give(given.content(), more);
    }

    private static Turn.Give give(Page page, Fields asked, long age, Header status, boolean stale) {
        List<Header> more = new ArrayList<>(4);
        more.add(new Header("Age", Long.toString(age / 1000)));
        more.add(status);
        if (stale) {
            more.add(STALE);
        }
        return new Turn.Give(asWanted(page, asked), more);
    }

    private static Content asWanted(Page page, Fields asked) {
        if (page.known.status() != 200) {
            return page.content;
        }
        if (Conditions.has(asked) && Conditions.hasIt(asked, page.fields())) {
            return new Content(304, Conditions.notModified(page.fields()).all(), new byte[0]);
        }
        return asked.has("Range") ? part(page, asked) : page.content;
    }

    private static Content part(Page page, Fields asked) {
        byte[] body = page.body();
        return switch (Range.of(asked, page.fields(), body.length)) {
            case Range.Whole whole -> page.content;
            case Range.Outside outside ->
                    new Content(
                            416,
                            List.of(new Header("Content-Range", "bytes */" + body.length)),
                            new byte[0]);
            case Range.Part(int first, int last) ->
                    new Content(
                            206,
                            page.fields()
                                    .with(
                                            "Content-Range",
                                            "bytes %d-%d/%d".formatted(first, last, body.length))
                                    .all(),
                            Arrays.copyOfRange(body, first, last + 1));
        };
    }
}
