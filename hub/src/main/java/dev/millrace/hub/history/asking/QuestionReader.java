package dev.millrace.hub.history.asking;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.history.series.SeriesName;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads questions, from the query of a path or from the members of a body, both by name. What is
 * wrong is thrown in the words that clients know.
 */
public final class QuestionReader {
    private static final Duration STANDARD_RANGE = Duration.ofDays(1);
    private static final Duration LONGEST_RANGE = Duration.ofDays(366);
    private static final long MOST_WINDOWS = 100_000;

    /** What windows may be if nobody says: roll-ups fit into them. */
    private static final List<String> LADDER =
            List.of(
                    "1s", "2s", "5s", "10s", "15s", "30s", "1m", "2m", "5m", "10m", "15m", "30m",
                    "1h", "2h", "3h", "6h", "12h", "1d", "2d", "4d", "7d", "14d", "28d");

    private final Function<String, Optional<String>> text;
    private final long now;

    /**
     * Of parameters.
     *
     * @param text a parameter that says something
     * @param now in ms
     */
    public QuestionReader(Function<String, Optional<String>> text, long now) {
        this.text = text;
        this.now = now;
    }

    /** The question about these series. */
    public Question read(List<SeriesName> series) {
        ZoneId zone = zone();
        Range range = range(zone);
        Optional<Aggregation> said =
                text.apply("aggregation")
                        .map(
                                word ->
                                        Aggregation.of(word.toLowerCase(Locale.ROOT))
                                                .orElseThrow(
                                                        () ->
                                                                invalid(
                                                                        "aggregation must be raw, avg, min, max, sum, count, first, last, std, median, delta or twa, not '%s'."
                                                                                .formatted(word))));
        Optional<Long> interval = interval(range);
        Aggregation aggregation =
                said.orElse(interval.isPresent() ? Aggregation.AVG : Aggregation.RAW);
        int limit = number("limit", Question.STANDARD_LIMIT, Question.LARGEST_LIMIT);
        if (text.apply("points").isPresent() && text.apply("limit").isEmpty()) {
            limit = Question.LARGEST_LIMIT;
        }
        Fill fill =
                text.apply("fill")
                        .map(
                                word ->
                                        Fill.of(word)
                                                .orElseThrow(
                                                        () ->
                                                                invalid(
                                                                        "fill must be none, null, previous, linear or a number, not '%s'."
                                                                                .formatted(word))))
                        .orElseGet(Fill.None::new);
        Question question =
                new Question(
                        series,
                        range.from,
                        range.to,
                        aggregation,
                        aggregation == Aggregation.RAW ? Optional.empty() : interval,
                        zone,
                        fill,
                        limit,
                        descending());
        if (question.interval().isPresent()
                && question.windows().count(range.from, range.to) > MOST_WINDOWS) {
            throw tooLarge(
                    "These are more than %d windows; ask for a shorter range or longer windows."
                            .formatted(MOST_WINDOWS));
        }
        return question;
    }

    /**
     * A range of time.
     *
     * @param from in ms, included
     * @param to excluded
     */
    public record Range(long from, long to) {}

    /** The range that is meant. */
    public Range range(ZoneId zone) {
        OptionalLong end = time("end", zone);
        long to = end.orElse(now + 1);
        OptionalLong start = time("start", zone);
        long from = start.orElse(to - STANDARD_RANGE.toMillis());
        if (from >= to) {
            throw invalid("start must be before end.");
        }
        if (to - from > LONGEST_RANGE.toMillis()) {
            throw tooLarge("A range has at most %d days.".formatted(LONGEST_RANGE.toDays()));
        }
        return new Range(from, to);
    }

    /** The zone in which times without one are meant and days begin. */
    public ZoneId zone() {
        return text.apply("tz")
                .map(
                        name ->
                                Times.zone(name)
                                        .orElseThrow(
                                                () ->
                                                        invalid(
                                                                "tz must be a time zone such as Europe/Berlin, not '%s'."
                                                                        .formatted(name))))
                .orElse(ZoneOffset.UTC);
    }

    private OptionalLong time(String name, ZoneId zone) {
        Optional<String> said = text.apply(name);
        if (said.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong time = Times.time(said.get(), zone);
        if (time.isEmpty()) {
            throw invalid(
                    "%s must be a time: ISO 8601, or seconds or milliseconds since 1970, not '%s'."
                            .formatted(name, said.get()));
        }
        return time;
    }

    private Optional<Long> interval(Range range) {
        Optional<String> said = text.apply("interval");
        if (said.isPresent()) {
            OptionalLong millis = Times.duration(said.get());
            if (millis.isEmpty() || millis.getAsLong() <= 0) {
                throw invalid(
                        "interval must be a time greater than 0, such as 10s, 1m, 5m, 1h or 1d, not '%s'."
                                .formatted(said.get()));
            }
            if (millis.getAsLong() > LONGEST_RANGE.toMillis()) {
                throw invalid(
                        "interval must be at most %d days.".formatted(LONGEST_RANGE.toDays()));
            }
            return Optional.of(millis.getAsLong());
        }
        if (text.apply("points").isEmpty()) {
            return Optional.empty();
        }
        int points = number("points", Question.STANDARD_LIMIT, Question.LARGEST_LIMIT);
        double least = (double) (range.to - range.from) / points;
        return LADDER.stream()
                .map(step -> Times.duration(step).orElseThrow())
                .filter(step -> step >= least)
                .findFirst()
                .or(() -> Optional.of(LONGEST_RANGE.toMillis()));
    }

    private boolean descending() {
        String order = text.apply("order").orElse("asc").toLowerCase(Locale.ROOT);
        if (!order.equals("asc") && !order.equals("desc")) {
            throw invalid("order must be asc or desc.");
        }
        return order.equals("desc");
    }

    /** A whole number from 1. */
    public int number(String name, int standard, int most) {
        Optional<String> said = text.apply(name);
        if (said.isEmpty()) {
            return standard;
        }
        String digits = said.get();
        if (digits.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(digits);
            if (number >= 1 && number <= most) {
                return number;
            }
        }
        throw invalid("%s must be a whole number from 1 to %d.".formatted(name, most));
    }

    static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }

    static RefusedException tooLarge(String sentence) {
        return Refused.of(EmsCode.RANGE_TOO_LARGE, sentence).exception();
    }
}
