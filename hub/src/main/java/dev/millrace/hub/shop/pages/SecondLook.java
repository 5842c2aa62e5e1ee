package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.Failure;
import dev.millrace.hub.http.proxy.Seen;
import dev.millrace.hub.http.proxy.Taker;
import dev.millrace.hub.http.proxy.Turn;
import dev.millrace.hub.shop.pages.rfc.Fields;
import dev.millrace.hub.shop.pages.rfc.Policy;
import dev.millrace.hub.shop.pages.rfc.Storing;

/**
 * Passes on a page that could not be kept when it was asked for before. Many applications give a
 * cookie to those who come for the first time, and pages for everybody to the others: if what comes
 * now could be kept, that is told, and the next one who asks does so for all.
 */
final class SecondLook implements Taker {
    private final Passing passing;
    private final Policy policy;
    private final Fields asked;
    private final Runnable good;

    /**
     * For one client.
     *
     * @param asked the headers of its request, a GET
     * @param good run if the answer could be kept
     */
    SecondLook(Passing passing, Policy policy, Fields asked, Runnable good) {
        this.passing = passing;
        this.policy = policy;
        this.asked = asked;
        this.good = good;
    }

    @Override
    public Seen head(Head head) {
        Storing storing =
                Storing.of(
                        policy,
                        asked,
                        head.status(),
                        new Fields(head.headers()),
                        head.asked(),
                        head.began());
        if (storing instanceof Storing.May) {
            good.run();
        }
        return passing.head(head);
    }

    @Override
    public Turn failed(Failure why) {
        return passing.failed(why);
    }

    @Override
    public boolean forClientAlone() {
        return true;
    }
}
