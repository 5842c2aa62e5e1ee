package dev.millrace.hub.shop.pages.rfc;

/**
 * For how long a page may be given out.
 *
 * @param fresh milliseconds from its birth for which nobody need ask again
 * @param whileRefreshed milliseconds after that for which it may be given while one asks anew
 * @param onError milliseconds after that for which it may be given if the application fails
 * @param shared whether it may also be given to somebody who says who he is
 */
public record Lifetime(long fresh, long whileRefreshed, long onError, boolean shared) {
    /** For how long it is of any use. */
    public long most() {
        return fresh + Math.max(whileRefreshed, onError);
    }
}
