package dev.millrace.hub.history;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.history.asking.Latest;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.hub.history.kept.Gaps;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which series there are, their newest samples and their statistics, over HTTP. */
final class IndexApi {
    private static final int MOST_LATEST = 1000;
    private static final int MOST_DAYS = 31;
    private static final String DATE = "20[0-9]{6}|19[0-9]{6}";
    private static final String HOUR = "[01][0-9]|2[0-3]";

    private final SampleReads reads;
    private final Latest latest;
    private final Gaps gaps;
    private final InstantSource clock;

    IndexApi(SampleReads reads, Latest latest, Gaps gaps, InstantSource clock) {
        this.reads = reads;
        this.latest = latest;
        this.gaps = gaps;
        this.clock = clock;
    }

    void addTo(EmsRoutes ems) {
        ems.get(
                        "/api/history/index",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about(
                                                "The series that have samples on a day or in an"
                                                        + " hour.")
                                        .parameter("date", "yyyyMMdd in UTC; today")
                                        .parameter("hour", "00 to 23; the whole day")
                                        .parameter("days", "so many days up to this one; 1")
                                        .parameter("search", "only names with this text"),
                        this::index)
                .get(
                        "/api/history/latest",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("The newest sample of each series.")
                                        .parameter("series", "names, separated by commas")
                                        .parameter("source", "or all series of a thing: its source")
                                        .parameter("id", "and its id"),
                        this::latest)
                .get(
                        "/api/history/{source}/{id}/statistics",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about(
                                                "min, max, avg, count and more of all samples that"
                                                        + " were ever taken of a thing."),
                        this::statistics)
                .get(
                        "/api/history/gaps",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("Times of which values could not be recorded."),
                        request -> EmsAnswer.ok(request.paging(100).of(gaps.all(), Gaps.Gap::view)))
                .get(
                        "/api/stats",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("What was recorded, and how far the recorder is."),
                        request -> stats());
    }

    private EmsAnswer index(EmsRequest request) {
        String date = request.query("date").orElseGet(() -> Hours.date(Hours.of(clock.millis())));
        if (!date.matches(DATE) || !isDate(date)) {
            throw HistoryApi.invalid("date must be a day as yyyyMMdd, not '%s'.".formatted(date));
        }
        long first = Hours.parse(date + "00");
        Set<String> names = new TreeSet<>();
        if (request.query("hour").isPresent()) {
            String hour = request.query("hour").orElse("");
            if (!hour.matches(HOUR)) {
                throw HistoryApi.invalid("hour must be 00 to 23, not '%s'.".formatted(hour));
            }
            names.addAll(reads.ofHour(first + Integer.parseInt(hour)));
        } else {
            int days = request.number("days", 1, 1, MOST_DAYS);
            for (int day = 0; day < days; day++) {
                names.addAll(reads.ofDay(first - day * 24L));
            }
        }
        String search = request.query("search").orElse("");
        List<String> found = names.stream().filter(name -> name.contains(search)).toList();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("date", date);
        data.put("series", found.stream().limit(10_000).toList());
        data.put("total", found.size());
        return EmsAnswer.ok(data);
    }

    private static boolean isDate(String date) {
        try {
            return Hours.date(Hours.parse(date + "00")).equals(date);
        } catch (java.time.DateTimeException e) {
            return false;
        }
    }

    private EmsAnswer latest(EmsRequest request) {
        List<SeriesName> wanted = new ArrayList<>();
        if (request.query("series").isPresent()) {
            wanted.addAll(HistoryApi.series(request.query("series").orElse("")));
        } else {
            Thing thing =
                    HistoryApi.thing(
                            request.query("source").orElse(SeriesName.CHANNEL),
                            request.query("id")
                                    .orElseThrow(
                                            () ->
                                                    HistoryApi.invalid(
                                                            "Name series, or a source and an"
                                                                    + " id.")));
            wanted.addAll(latest.of(thing));
        }
        if (wanted.size() > MOST_LATEST) {
            throw HistoryApi.invalid("These are more than %d series.".formatted(MOST_LATEST));
        }
        List<Map<String, Object>> series = new ArrayList<>();
        latest.of(wanted).forEach((name, sample) -> series.add(view(name, sample)));
        return EmsAnswer.ok(Map.of("series", series));
    }

    private static Map<String, Object> view(SeriesName name, Sample sample) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("source", name.source());
        view.put("id", name.id());
        view.put("field", name.field());
        view.put("timestamp", sample.at());
        view.put("value", sample.isNumber() ? number(sample.number()) : sample.text());
        return view;
    }

    /** Whole numbers without a fraction, as they are stored. */
    private static Object number(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? (Object) (long) number
                : (Object) number;
    }

    private EmsAnswer statistics(EmsRequest request) {
        Thing thing = HistoryApi.thing(request.variable("source"), request.variable("id"));
        Map<String, String> stored = reads.statistics(thing);
        if (stored.isEmpty()) {
            throw Refused.of(
                            EmsCode.NOT_FOUND,
                            "Nothing was ever recorded of %s %s."
                                    .formatted(thing.source(), thing.id()))
                    .exception();
        }
        Map<String, Object> data = new LinkedHashMap<>();
        Map<String, Map<String, Object>> fields = new TreeMap<>();
        stored.forEach(
                (name, text) -> {
                    double number = Decimals.parse(text);
                    Object value = Double.isNaN(number) ? text : number(number);
                    int dot = name.lastIndexOf('.');
                    if (dot > 0) {
                        fields.computeIfAbsent(name.substring(0, dot), each -> new TreeMap<>())
                                .put(name.substring(dot + 1), value);
                    } else if (!name.equals("revision")) {
                        data.put(name, value);
                    }
                });
        data.put("fields", fields);
        return EmsAnswer.ok(data);
    }

    private EmsAnswer stats() {
        Map<String, Long> recorded = reads.recorded();
        long until = recorded.getOrDefault("until", 0L);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("total_points_collected", recorded.getOrDefault("samples", 0L));
        data.put("total_batches_sent", recorded.getOrDefault("steps", 0L));
        data.put("last_collection_time", until == 0 ? null : Times.iso(until));
        data.put("last_error", null);
        data.put("refused_too_old", recorded.getOrDefault("too_old", 0L));
        data.put("refused_too_new", recorded.getOrDefault("too_new", 0L));
        data.put("gaps", gaps.all().size());
        return EmsAnswer.ok(data);
    }
}
