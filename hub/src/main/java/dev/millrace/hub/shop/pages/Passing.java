package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.proxy.Content;
import dev.millrace.hub.http.proxy.Failure;
import dev.millrace.hub.http.proxy.Seen;
import dev.millrace.hub.http.proxy.Taker;
import dev.millrace.hub.http.proxy.Turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Passes an answer on to the one client that asked for it. */
final class Passing implements Taker {
    private final Header status;
    private final Runnable good;

    Passing(String how) {
        this(how, () -> {});
    }

    /**
     * The same for the page of an item.
     *
     * @param good run when there is such a page
     */
    Passing(String how, Runnable good) {
        this.status = PageAnswers.status(how);
        this.good = good;
    }

    @Override
    public Seen head(Head head) {
        if (head.status() < 400) {
            good.run();
        }
        return Seen.Relay.of(forClient(head.headers(), status));
    }

    @Override
    public boolean forClientAlone() {
        return true;
    }

    @Override
    public Turn failed(Failure why) {
        return new Turn.Give(Content.sentence(why.status(), why.sentence(), status), List.of());
    }

    static List<Header> forClient(List<Header> headers, Header status) {
        List<Header> all = new ArrayList<>(headers.size() + 1);
        for (Header each : headers) {
            if (!PageAnswers.NOT_FOR_CLIENTS.contains(each.name().toLowerCase(Locale.ROOT))) {
                all.add(each);
            }
        }
        all.add(status);
        return all;
    }
}
