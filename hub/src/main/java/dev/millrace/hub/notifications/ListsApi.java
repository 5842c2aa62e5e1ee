package dev.millrace.hub.notifications;

import dev.millrace.hub.edgex.EdgexAnswers;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.keyspace.commit.Stored;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** What the queries of all Apis here share: how their paths are read, how lists are answered. */
final class ListsApi {
    private final int most;

    /**
     * ListsApi with a bound.
     *
     * @param most the largest limit that may be asked for
     */
    ListsApi(int most) {
        this.most = most;
    }

    /** The limit in the path; 0 stands for none. */
    int limit(Request request) {
        String text = request.variable("limit");
        if (!text.matches("[0-9]+")) {
            throw Problem.of(Code.BAD_PARAMETER, "'%s' is not a valid limit.".formatted(text));
        }
        try {
            int limit = Integer.parseInt(text);
            if (limit <= most) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Too large for a number is too large.
        }
        throw Problem.of(
                Code.TOO_LARGE,
                "The limit %s exceeds the maximum of %d results.".formatted(text, most));
    }

    /** A number of milliseconds in the path. */
    static long millis(Request request, String variable) {
        String text = request.variable(variable);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "'%s' is not a valid number of milliseconds (%s).".formatted(text, variable));
        }
    }

    /** Several values in one part of the path, separated by commas. */
    static List<String> several(Request request, String variable) {
        return Arrays.stream(request.variable(variable).split(",", -1))
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
    }

    /** What was found, or an empty list. */
    static <E> Answer answer(Iterator<Stored<E>> found, int limit, Function<E, E> shown) {
        return EdgexAnswers.list(new First<>(found, limit, shown));
    }

    /** What was found, or 404. */
    static <E> Answer answerOr404(
            Iterator<Stored<E>> found, int limit, Function<E, E> shown, String sentence) {
        if (!found.hasNext()) {
            throw Problem.of(Code.NOT_FOUND, sentence);
        }
        return answer(found, limit, shown);
    }

    /** The values of the first so many. */
    private static final class First<E> implements Iterator<E> {
        private final Iterator<Stored<E>> all;
        private final Function<E, E> shown;
        private long left;

        First(Iterator<Stored<E>> all, int limit, Function<E, E> shown) {
            this.all = all;
            this.left = limit == 0 ? Long.MAX_VALUE : limit;
            this.shown = shown;
        }

        @Override
        public boolean hasNext() {
            return left > 0 && all.hasNext();
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            left--;
            return shown.apply(all.next().value());
        }
    }
}
