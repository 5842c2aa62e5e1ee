package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.history.asking.Answers;
import dev.millrace.hub.history.asking.Latest;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Utf8;
import dev.millrace.keyspace.Keyspace;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The time series of Brewblox over HTTP, and as streams. */
public final class TimeseriesApi {
    private static final String ROOM = "history";
    private static final int UNPROCESSABLE = 422;

    private final String root;
    private final Keyspace keyspace;
    private final TimeseriesQueries queries;
    private final Streams streams;

    /**
     * Below a service's name.
     *
     * @param name of the service, {@code history}
     */
    public TimeseriesApi(
            String name,
            Keyspace keyspace,
            SampleReads reads,
            Answers answers,
            Latest latest,
            InstantSource clock) {
        this.root = "/" + name + "/timeseries";
        this.keyspace = keyspace;
        this.queries = new TimeseriesQueries(reads, answers, latest, clock);
        this.streams = new Streams(queries);
    }

    /** What it answers. */
    public List<Route> routes() {
        return List.of(
                Route.get(root + "/ping")
                        .needs(Role.VIEWER, ROOM)
                        .about("Whether Redis answers.")
                        .by(request -> ping()),
                Route.post(root + "/fields")
                        .needs(Role.VIEWER, ROOM)
                        .about("The names of Brewblox that had values in the last time.")
                        .by(told((request, query) -> Answer.json(queries.fields(query)))),
                Route.post(root + "/metrics")
                        .needs(Role.VIEWER, ROOM)
                        .about("Their last values.")
                        .by(told((request, query) -> Answer.json(queries.metrics(query)))),
                Route.post(root + "/ranges")
                        .needs(Role.VIEWER, ROOM)
                        .about("Their values over time, as means of steps.")
                        .by(told(this::ranges)),
                Route.post(root + "/csv")
                        .needs(Role.VIEWER, ROOM)
                        .about("Their values as comma-separated values, a line for each time.")
                        .givesType("text/plain")
                        .by(told(this::csv)),
                Route.get(root + "/stream")
                        .needs(Role.VIEWER, ROOM)
                        .about("The same as streams on a WebSocket, again every ten seconds.")
                        .parked()
                        .talkingBy((request, talk) -> streams.begin(talk)));
    }

    /** The hub is about to stop. */
    public void close() {
        streams.close();
    }

    private Answer ping() {
        keyspace.mustAnswer();
        return Answer.json(Map.of("ping", "pong"))
                .with(
                        "Cache-Control",
                        "no-cache, no-store, must-revalidate, proxy-revalidate, max-age=0")
                .with("Pragma", "no-cache")
                .with("Expires", "0");
    }

    private Answer ranges(Request request, JsonNode query) {
        TimeFrame frame = queries.frame(query);
        return Answer.json(queries.ranges(TimeseriesQueries.named(query), frame, frame.step()));
    }

    private Answer csv(Request request, JsonNode query) {
        Map<String, SeriesName> names = TimeseriesQueries.named(query);
        TimeFrame frame = queries.frame(query);
        TimeseriesQueries.Precision precision = TimeseriesQueries.Precision.of(query);
        return Answer.streamed(
                        "text/plain; charset=utf-8",
                        out -> queries.csv(names, frame, precision, out))
                .with("Access-Control-Allow-Origin", "*");
    }

    // ---------------------------------------------------------------- mistakes

    /** Answers a query. */
    @FunctionalInterface
    private interface Asked {
        Answer answer(Request request, JsonNode query);
    }

    private static Handler.Work told(Asked work) {
        return request -> {
            try {
                return work.answer(request, query(request.body()));
            } catch (IllegalArgumentException e) {
                return mistake(String.valueOf(e.getMessage()));
            } catch (RefusedException e) {
                return mistake(e.why().message());
            }
        };
    }

    private static JsonNode query(byte[] body) {
        if (body.length == 0) {
            return Json.MAPPER.createObjectNode();
        }
        if (!Utf8.isText(body)) {
            throw new IllegalArgumentException("The body is not JSON in UTF-8.");
        }
        try {
            JsonNode query = Json.MAPPER.readTree(body);
            if (query.isObject()) {
                return query;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(Json.sentence(e), e);
        }
        throw new IllegalArgumentException("The body must be a JSON object.");
    }

    /** In the words of Brewblox's services. */
    private static Answer mistake(String sentence) {
        return Answer.json(
                UNPROCESSABLE,
                Map.of(
                        "detail",
                        List.of(
                                Map.of(
                                        "type",
                                        "value_error",
                                        "loc",
                                        List.of("body"),
                                        "msg",
                                        sentence))));
    }
}
