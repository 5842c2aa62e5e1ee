package dev.millrace.hub.readings;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;

/** The numbers in paths, and how many things one query may ask for. */
final class Limits {
    private Limits() {}

    /** A number of the path; the route lets only digits through. */
    static long number(Request request, String name) {
        try {
            return Long.parseLong(request.variable(name));
        } catch (NumberFormatException e) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "%s is too large: at most %d.".formatted(name, Long.MAX_VALUE));
        }
    }

    /** How many are asked for, if that is allowed. */
    static long limit(Request request, int most) {
        long limit = number(request, "limit");
        if (limit > most) {
            throw tooMany(limit, most);
        }
        return limit;
    }

    static Problem tooMany(long count, int most) {
        return Problem.of(
                Code.TOO_LARGE,
                "%d are more than one query gives; ask for at most %d.".formatted(count, most));
    }
}
