package dev.millrace.hub.http;

import java.util.List;
import java.util.Optional;

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
 * @param headers of every answer of a route; not where no route was found
 * @param cors what pages of other sites may do there; empty for what holds for the whole hub
 * @param calls where a line about every call of a route is written
 */
public record Owner(
        String name,
        ErrorShape errors,
        boolean ours,
        boolean echoesIds,
        boolean redirectsSlash,
        boolean allowsOnErrors,
        boolean headLikeGet,
        List<Header> headers,
        Optional<CorsRule> cors,
        CallLog calls) {
    public Owner {
        headers = List.copyOf(headers);
    }

    /** An API of our own. */
    public static Owner own(String name) {
        return new Owner(
                name,
                ErrorShape.OURS,
                true,
                true,
                false,
                true,
                true,
                List.of(),
                Optional.empty(),
                CallLog.NONE);
    }

    /** An API that another system's clients know. */
    public static Owner compatible(String name, ErrorShape errors) {
        return new Owner(
                name,
                errors,
                false,
                false,
                false,
                true,
                false,
                List.of(),
                Optional.empty(),
                CallLog.NONE);
    }

    public Owner echoingIds() {
        return with(true, redirectsSlash, allowsOnErrors, headLikeGet, headers, cors, calls);
    }

    public Owner redirectingSlash() {
        return with(echoesIds, true, allowsOnErrors, headLikeGet, headers, cors, calls);
    }

    public Owner silentOnMethods() {
        return with(echoesIds, redirectsSlash, false, headLikeGet, headers, cors, calls);
    }

    public Owner answeringHead() {
        return with(echoesIds, redirectsSlash, allowsOnErrors, true, headers, cors, calls);
    }

    public Owner sending(List<Header> always) {
        return with(echoesIds, redirectsSlash, allowsOnErrors, headLikeGet, always, cors, calls);
    }

    public Owner allowingPages(CorsRule rule) {
        Optional<CorsRule> own = Optional.of(rule);
        return with(echoesIds, redirectsSlash, allowsOnErrors, headLikeGet, headers, own, calls);
    }

    public Owner noting(CallLog ownCalls) {
        return with(
                echoesIds, redirectsSlash, allowsOnErrors, headLikeGet, headers, cors, ownCalls);
    }

    private Owner with(
            boolean newEchoesIds,
            boolean newRedirectsSlash,
            boolean newAllowsOnErrors,
            boolean newHeadLikeGet,
            List<Header> newHeaders,
            Optional<CorsRule> newCors,
            CallLog newCalls) {
        return new Owner(
                name,
                errors,
                ours,
                newEchoesIds,
                newRedirectsSlash,
                newAllowsOnErrors,
                newHeadLikeGet,
                newHeaders,
                newCors,
                newCalls);
    }
}
