package dev.millrace.hub.http;

/**
 * Whose path it is. All APIs share one port, and the clients of each expect the errors, the headers
 * and the small habits of the system they were written for, also where no handler was reached.
 * {@link Owners} says which path belongs to whom.
 *
 * @param errors the shape of every error there
 * @param ours whether it is the hub's own: then security headers and the request id are added
 * @param echoesIds whether the request id is sent back
 * @param redirectsSlash whether a surplus slash at the end leads to the path without it
 * @param allowsOnErrors whether a wrong method is told which ones would be right
 * @param headLikeGet whether HEAD works where GET does
 */
public record Owner(
        String name,
        ErrorShape errors,
        boolean ours,
        boolean echoesIds,
        boolean redirectsSlash,
        boolean allowsOnErrors,
        boolean headLikeGet) {

    /** An API of our own. */
    public static Owner own(String name) {
        return new Owner(name, new ProblemJson(), true, true, false, true, true);
    }

    /** An API that another system's clients know. */
    public static Owner compatible(String name, ErrorShape errors) {
        return new Owner(name, errors, false, false, false, true, false);
    }

    public Owner echoingIds() {
        return new Owner(name, errors, ours, true, redirectsSlash, allowsOnErrors, headLikeGet);
    }

    public Owner redirectingSlash() {
        return new Owner(name, errors, ours, echoesIds, true, allowsOnErrors, headLikeGet);
    }

    public Owner silentOnMethods() {
        return new Owner(name, errors, ours, echoesIds, redirectsSlash, false, headLikeGet);
    }

    public Owner answeringHead() {
        return new Owner(name, errors, ours, echoesIds, redirectsSlash, allowsOnErrors, true);
    }
}
