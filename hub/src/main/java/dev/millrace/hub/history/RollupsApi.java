package dev.millrace.hub.history;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.history.asking.QuestionReader;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.hub.history.kept.Holdings;
import dev.millrace.hub.history.series.SeriesName;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Roll-ups over HTTP: how far they are, and that they are made again. */
final class RollupsApi {
    private static final int MOST_SERIES = 100;

    private final Holdings holdings;
    private final InstantSource clock;

    RollupsApi(Holdings holdings, InstantSource clock) {
        this.holdings = holdings;
        this.clock = clock;
    }

    void addTo(EmsRoutes ems) {
        ems.get(
                        "/api/history/rollups",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("How many samples and roll-ups there are."),
                        request -> now())
                .post(
                        "/api/history/rollups/recompute",
                        route ->
                                route.needs(Role.ADMIN, HistoryApi.ROOM)
                                        .about("Has the roll-ups of a range made again."),
                        this::again);
    }

    private EmsAnswer now() {
        Holdings.Now now = holdings.now();
        Map<String, Long> windows = new LinkedHashMap<>(now.entries());
        Long samples = windows.remove("raw");
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("samples", samples == null ? 0 : samples);
        data.put("windows", windows);
        data.put("due", now.due());
        data.put("done", now.done().map(Times::iso).orElse(null));
        return EmsAnswer.ok(data);
    }

    private EmsAnswer again(EmsRequest request) {
        ObjectNode body = request.object();
        List<SeriesName> series = HistoryApi.series(body.path("series"), MOST_SERIES);
        QuestionReader reader =
                new QuestionReader(name -> HistoryApi.member(body, name), clock.millis());
        QuestionReader.Range range = reader.range(reader.zone());
        holdings.again(series, range.from(), range.to());
        return EmsAnswer.accepted(Map.of("due", holdings.now().due()));
    }
}
