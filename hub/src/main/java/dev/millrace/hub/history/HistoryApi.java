package dev.millrace.hub.history;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.history.asking.AnswerText;
import dev.millrace.hub.history.asking.Answers;
import dev.millrace.hub.history.asking.Question;
import dev.millrace.hub.history.asking.QuestionReader;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Questions about the past, over HTTP. */
final class HistoryApi {
    static final String ROOM = "history";

    /** In one question. */
    static final int MOST_SERIES = 100;

    private final Answers answers;
    private final InstantSource clock;

    HistoryApi(Answers answers, InstantSource clock) {
        this.answers = answers;
        this.clock = clock;
    }

    void addTo(EmsRoutes ems) {
        ems.get(
                        "/api/history/{source}/{id}/{field}",
                        route ->
                                route.needs(Role.VIEWER, ROOM)
                                        .about("Samples of a series, or what becomes of them.")
                                        .parameter("start", "from when; a day before the end")
                                        .parameter("end", "until when, not included; now")
                                        .parameter("aggregation", "raw, avg, min, max, …")
                                        .parameter("interval", "of the windows, such as 5m")
                                        .parameter("points", "at most so many windows instead")
                                        .parameter("fill", "none, null, previous, linear, a number")
                                        .parameter("tz", "the zone in which days begin")
                                        .parameter("limit", "at most so many; 1000")
                                        .parameter("order", "asc or desc"),
                        this::one)
                .post(
                        "/api/history/query",
                        route ->
                                route.needs(Role.VIEWER, ROOM).about("The same of several series."),
                        this::many);
    }

    private EmsAnswer one(EmsRequest request) {
        SeriesName series =
                series(
                        request.variable("source"),
                        request.variable("id"),
                        request.variable("field"));
        String answer = one(series, request::query);
        return EmsAnswer.json(200, answer.getBytes(StandardCharsets.UTF_8));
    }

    /** The same, with the series among the members. */
    String one(ObjectNode asked) {
        SeriesName series =
                series(
                        asked.path("source").asString(""),
                        asked.path("id").asString(""),
                        asked.path("field").asString(""));
        return one(series, name -> member(asked, name));
    }

    private String one(SeriesName series, Function<String, Optional<String>> text) {
        Question question = new QuestionReader(text, clock.millis()).read(List.of(series));
        Answers.Answer answer = answers.answer(question, series);
        StringBuilder out = new StringBuilder(1024);
        AnswerText.whole(out, series, question, answer);
        return out.toString();
    }

    private EmsAnswer many(EmsRequest request) {
        ObjectNode body = request.object();
        List<SeriesName> series = series(body.path("series"), MOST_SERIES);
        Question question =
                new QuestionReader(name -> member(body, name), clock.millis()).read(series);
        // What can be refused is known before anything is sent.
        Answers.Answer first = answers.answer(question, series.getFirst());
        return EmsAnswer.streamed(
                out -> {
                    StringBuilder text = new StringBuilder(1024).append("{\"series\":[");
                    for (int i = 0; i < series.size(); i++) {
                        text.append(i == 0 ? "" : ",");
                        AnswerText.whole(
                                text,
                                series.get(i),
                                question,
                                i == 0 ? first : answers.answer(question, series.get(i)));
                        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
                        text.setLength(0);
                    }
                    out.write("]}".getBytes(StandardCharsets.UTF_8));
                });
    }

    /** A member of a body, as it would stand in a query. */
    static Optional<String> member(ObjectNode body, String name) {
        JsonNode node = body.path(name);
        if (node.isNull() && name.equals("fill")) {
            return Optional.of("null");
        }
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (node.isContainer()) {
            throw invalid(name + " must be a text or a number.");
        }
        return Optional.of(node.asString()).filter(text -> !text.isEmpty());
    }

    /** A list of series, each a text or an object. */
    static List<SeriesName> series(JsonNode list, int most) {
        if (!list.isArray() || list.isEmpty() || list.size() > most) {
            throw invalid("series must be a list of 1 to %d series.".formatted(most));
        }
        List<SeriesName> all = new ArrayList<>();
        for (JsonNode each : list) {
            if (each.isString()) {
                all.add(
                        SeriesName.parse(each.stringValue())
                                .orElseThrow(
                                        () ->
                                                invalid(
                                                        "'%s' is not a series, such as comsrv:1:101."
                                                                .formatted(each.stringValue()))));
            } else {
                all.add(
                        series(
                                each.path("source").asString(""),
                                each.path("id").asString(""),
                                each.path("field").asString("")));
            }
        }
        return all;
    }

    /** Series that stand in a query, separated by commas. */
    static List<SeriesName> series(String names) {
        List<SeriesName> all = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            all.add(
                    SeriesName.parse(name)
                            .orElseThrow(
                                    () ->
                                            invalid(
                                                    "'%s' is not a series, such as comsrv:1:101."
                                                            .formatted(name))));
        }
        return all;
    }

    /** A channel, a model or a service. */
    static Thing thing(String source, String id) {
        SeriesName.fault(source, id)
                .ifPresent(
                        fault -> {
                            throw invalid(fault);
                        });
        return new Thing(SeriesName.source(source), id);
    }

    static SeriesName series(String source, String id, String field) {
        SeriesName.fault(source, id, field)
                .ifPresent(
                        fault -> {
                            throw invalid(fault);
                        });
        return new SeriesName(SeriesName.source(source), id, field);
    }

    static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }
}
