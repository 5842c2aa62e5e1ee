package dev.millrace.hub.shop.pages.rfc;

import java.util.OptionalLong;

/** What may be done with a page that is there, for one who asks. */
public enum Using {
    /** It is given. */
    GIVE,
    /** It is given, and asked for anew meanwhile. */
    GIVE_AND_REFRESH,
    /** It is fresh, but this client wants the application's word. */
    ASKED_FOR_ANEW,
    /** It is asked for anew; the old one may serve if the application fails. */
    REFRESH,
    /** It is of no use any more. */
    GONE;

    /**
     * Decides.
     *
     * @param asked the headers of the request
     * @param obey whether the client's {@code Cache-Control} counts
     * @param age of the page, in milliseconds
     */
    public static Using of(Lifetime lifetime, long age, Fields asked, boolean obey) {
        long over = age - lifetime.fresh();
        if (over >= Math.max(lifetime.whileRefreshed(), lifetime.onError()) && over >= 0) {
            return GONE;
        }
        if (obey && wantsNew(asked, age, -over)) {
            return over < 0 ? ASKED_FOR_ANEW : REFRESH;
        }
        if (over < 0) {
            return GIVE;
        }
        return over < lifetime.whileRefreshed() ? GIVE_AND_REFRESH : REFRESH;
    }

    private static boolean wantsNew(Fields asked, long age, long left) {
        Directives wish = wish(asked);
        OptionalLong oldest = wish.seconds("max-age");
        OptionalLong least = wish.seconds("min-fresh");
        return wish.has("no-cache")
                || (oldest.isPresent() && age > oldest.getAsLong() * 1000)
                || (least.isPresent() && left < least.getAsLong() * 1000);
    }

    /** An old client says {@code Pragma}. */
    private static Directives wish(Fields asked) {
        if (asked.has("Cache-Control")) {
            return Directives.of(asked.joined("Cache-Control"));
        }
        return asked.members("Pragma").contains("no-cache")
                ? Directives.of("no-cache")
                : Directives.NONE;
    }

    /** Whether the client wants what is here or nothing. */
    public static boolean onlyIfCached(Fields asked) {
        return Directives.of(asked.joined("Cache-Control")).has("only-if-cached");
    }
}
