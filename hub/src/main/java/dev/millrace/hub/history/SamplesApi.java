package dev.millrace.hub.history;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.history.asking.Question;
import dev.millrace.hub.history.asking.QuestionReader;
import dev.millrace.hub.history.kept.SampleDeletes;
import dev.millrace.hub.history.kept.SampleWriter;
import dev.millrace.hub.history.recording.Rules;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.history.transfer.Export;
import dev.millrace.hub.history.transfer.Import;
import dev.millrace.hub.history.transfer.ImportLines;
import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Samples that come from elsewhere, over HTTP. */
final class SamplesApi {
    /** What comes as one JSON object is read whole before any of it is written. */
    private static final int MOST_AT_ONCE = 200_000;

    /** What curl says of a body when nobody tells it what the body is. */
    private static final String UNSAID = "application/x-www-form-urlencoded";

    private final SampleWriter writer;
    private final SampleDeletes deletes;
    private final Export export;
    private final Supplier<Rules> rules;
    private final InstantSource clock;

    SamplesApi(
            SampleWriter writer,
            SampleDeletes deletes,
            Export export,
            Supplier<Rules> rules,
            InstantSource clock) {
        this.writer = writer;
        this.deletes = deletes;
        this.export = export;
        this.rules = rules;
        this.clock = clock;
    }

    void addTo(EmsRoutes ems) {
        ems.receive(
                        "/api/history/samples",
                        route ->
                                route.needs(Role.OPERATOR, HistoryApi.ROOM)
                                        .about(
                                                "Stores samples, as JSON, lines of JSON or CSV;"
                                                        + " each that cannot be stored is named."),
                        this::take)
                .get(
                        "/api/history/export",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("Samples or windows as CSV, lines of JSON or JSON.")
                                        .parameter("series", "names, separated by commas")
                                        .parameter("format", "csv, ndjson or json")
                                        .parameter("precision", "ms or iso")
                                        .parameter("start", "and end, as of a question")
                                        .givesType("text/csv"),
                        request ->
                                export(
                                        HistoryApi.series(request.query("series").orElse("")),
                                        request::query))
                .post(
                        "/api/history/export",
                        route ->
                                route.needs(Role.VIEWER, HistoryApi.ROOM)
                                        .about("The same, asked with a body.")
                                        .givesType("text/csv"),
                        request -> {
                            ObjectNode body = request.object();
                            return export(
                                    HistoryApi.series(body.path("series"), HistoryApi.MOST_SERIES),
                                    name -> HistoryApi.member(body, name));
                        })
                .delete(
                        "/api/history/{source}/{id}/{field}",
                        route ->
                                route.needs(Role.ADMIN, HistoryApi.ROOM)
                                        .about(
                                                "Deletes the samples of a range, and their"
                                                        + " roll-ups.")
                                        .parameter("start", "from when")
                                        .parameter("end", "until when, not included"),
                        this::delete)
                .delete(
                        "/api/history/{source}/{id}/statistics",
                        route ->
                                route.needs(Role.ADMIN, HistoryApi.ROOM)
                                        .about("Begins the statistics of a thing anew."),
                        this::reset);
    }

    private EmsAnswer export(List<SeriesName> series, Function<String, Optional<String>> text) {
        QuestionReader reader = new QuestionReader(text, clock.millis());
        Question question = reader.read(series).withLimit(Question.LARGEST_LIMIT);
        String word = text.apply("format").orElse("csv");
        Export.Format format =
                Export.Format.of(word)
                        .orElseThrow(
                                () ->
                                        HistoryApi.invalid(
                                                "format must be csv, ndjson or json, not '%s'."
                                                        .formatted(word)));
        String precision = text.apply("precision").orElse("ms");
        if (!precision.equals("ms") && !precision.equals("iso")) {
            throw HistoryApi.invalid("precision must be ms or iso, not '%s'.".formatted(precision));
        }
        return EmsAnswer.file(
                        format.type(),
                        out -> export.write(question, format, precision.equals("iso"), out))
                .with("Content-Disposition", "attachment; filename=\"history.%s\"".formatted(word));
    }

    private EmsAnswer delete(EmsRequest request) {
        SeriesName series =
                HistoryApi.series(
                        request.variable("source"),
                        request.variable("id"),
                        request.variable("field"));
        if (request.query("start").isEmpty() || request.query("end").isEmpty()) {
            throw HistoryApi.invalid("Say start and end; nothing is deleted by default.");
        }
        QuestionReader reader = new QuestionReader(request::query, clock.millis());
        QuestionReader.Range range = reader.range(reader.zone());
        long deleted = deletes.delete(series, range.from(), range.to());
        return EmsAnswer.ok(Map.of("series", series.text(), "deleted", deleted));
    }

    private EmsAnswer reset(EmsRequest request) {
        Thing thing = HistoryApi.thing(request.variable("source"), request.variable("id"));
        deletes.reset(thing);
        return EmsAnswer.ok(Map.of("source", thing.source(), "id", thing.id()));
    }

    private EmsAnswer take(EmsRequest request, InputStream body) throws IOException {
        Import target = new Import(writer, rules.get(), clock.millis());
        String type = request.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("text/csv")) {
            String fault = ImportLines.csv(body, target);
            if (!fault.isEmpty()) {
                throw Refused.of(EmsCode.VALIDATION_ERROR, fault).exception();
            }
        } else if (type.startsWith("application/x-ndjson")
                || type.startsWith("application/jsonl")) {
            ImportLines.json(body, target);
        } else if (type.isEmpty() || type.contains("json") || type.startsWith(UNSAID)) {
            read(body).forEach(target::take);
        } else {
            throw Refused.of(
                            EmsCode.UNSUPPORTED_MEDIA_TYPE,
                            "Samples come as application/json, application/x-ndjson or text/csv, not as %s."
                                    .formatted(type))
                    .exception();
        }
        return EmsAnswer.ok(target.finish());
    }

    private static List<JsonNode> read(InputStream body) throws IOException {
        List<JsonNode> samples = new ArrayList<>();
        boolean named = false;
        try (JsonParser parser = Json.MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Refused.of(EmsCode.VALIDATION_ERROR, "The body must be a JSON object.")
                        .exception();
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!name.equals("samples") || value != JsonToken.START_ARRAY) {
                    parser.skipChildren();
                    continue;
                }
                named = true;
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    samples.add(parser.readValueAsTree());
                    if (samples.size() > MOST_AT_ONCE) {
                        throw Refused.of(
                                        EmsCode.PAYLOAD_TOO_LARGE,
                                        "One import has at most %d samples; send more in parts, or as lines of JSON."
                                                .formatted(MOST_AT_ONCE))
                                .exception();
                    }
                }
            }
            if (parser.nextToken() != null) {
                throw Refused.of(EmsCode.INVALID_JSON, "Something follows the object.").exception();
            }
        } catch (JacksonException e) {
            throw Refused.of(EmsCode.INVALID_JSON, Json.sentence(e)).exception();
        }
        if (!named) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "samples must be a list.").exception();
        }
        return samples;
    }
}
