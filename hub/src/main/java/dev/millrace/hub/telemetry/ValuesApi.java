package dev.millrace.hub.telemetry;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.telemetry.channels.ChannelPath;
import dev.millrace.hub.telemetry.channels.Channels;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.hub.telemetry.kept.ValuesReader;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Values of points over HTTP. */
final class ValuesApi {
    private final Values values;
    private final Channels channels;

    ValuesApi(Values values, Channels channels) {
        this.values = values;
        this.channels = channels;
    }

    void addTo(EmsRoutes routes) {
        routes.postPromptly("/api/channels/{channel_id}/{type}", ValuesApi::writing, this::write)
                .post(
                        "/api/telemetry/batch",
                        route ->
                                route.needs(Role.OPERATOR, TelemetryLayouts.ROOM)
                                        .about(
                                                "Stores values of many channels: {channel: {type:"
                                                        + " {point: value}}}."),
                        this::batch)
                .get(
                        "/api/channels/{channel_id}/{type}",
                        route ->
                                route.needs(Role.VIEWER, TelemetryLayouts.ROOM)
                                        .about("The values of a channel.")
                                        .parameter("points", "which ones, separated by commas"),
                        this::read)
                .get(
                        "/api/channels/{channel_id}/{type}/{point_id}",
                        route ->
                                route.needs(Role.VIEWER, TelemetryLayouts.ROOM)
                                        .about("The value of one point."),
                        this::one);
    }

    private static Route.Draft writing(Route.Draft route) {
        return route.needs(Role.OPERATOR, TelemetryLayouts.ROOM)
                .about("Stores values of a channel, with the alarms they cause.");
    }

    // ---------------------------------------------------------------- writing

    private CompletableFuture<EmsAnswer> write(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        PointType type = readType(request);
        NewValues sent = sent(type, request.body());
        // Nearly always all that a write goes by is known; else it is read by a thread of its own.
        CompletableFuture<WriteResult> stored =
                values.isPrompt(channel, type)
                        ? values.write(channel, type, sent)
                        : CompletableFuture.supplyAsync(
                                () -> values.write(channel, type, sent).join(),
                                Thread::startVirtualThread);
        return stored.thenApply(result -> answer(sent, result));
    }

    /** Stores values of one source. */
    EmsAnswer write(int channel, PointType type, byte[] body) {
        NewValues sent = sent(type, body);
        return answer(sent, values.write(channel, type, sent).join());
    }

    private static NewValues sent(PointType type, byte[] body) {
        NewValues sent = read(ValuesReader.values(body, type));
        mustHaveSome(sent);
        return sent;
    }

    private static EmsAnswer answer(NewValues sent, WriteResult result) {
        return switch (result) {
            case WriteResult.Done done -> EmsAnswer.json(200, answer(sent, done));
            case WriteResult.Failed(Outcome<Long> outcome) -> throw notStored(outcome);
        };
    }

    private static void mustHaveSome(NewValues sent) {
        if (sent.count() == 0) {
            Refused why =
                    Refused.of(
                            EmsCode.VALIDATION_ERROR,
                            sent.rejected().isEmpty()
                                    ? "There is not a single point in it."
                                    : "None of these points can be stored.");
            throw (sent.rejected().isEmpty() ? why : why.with("rejected", views(sent))).exception();
        }
    }

    private static byte[] answer(NewValues sent, WriteResult.Done done) {
        StringBuilder out = new StringBuilder(96);
        out.append("{\"written\":").append(sent.count()).append(",\"rejected\":[");
        String comma = "";
        for (NewValues.Rejected each : sent.rejected()) {
            out.append(comma).append("{\"point_id\":");
            JsonText.append(out, each.point());
            out.append(",\"reason\":");
            JsonText.append(out, each.reason());
            out.append('}');
            comma = ",";
        }
        out.append("],\"alarms\":{\"triggered\":");
        texts(out, done.triggered());
        out.append(",\"cleared\":");
        texts(out, done.cleared());
        return out.append("}}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void texts(StringBuilder out, List<String> texts) {
        out.append('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            JsonText.append(out, texts.get(i));
        }
        out.append(']');
    }

    private static List<Map<String, Object>> views(NewValues sent) {
        return sent.rejected().stream()
                .map(
                        each ->
                                Map.<String, Object>of(
                                        "point_id", each.point(), "reason", each.reason()))
                .toList();
    }

    /** Each source is a write of its own; all of them leave together. */
    private EmsAnswer batch(EmsRequest request) {
        List<ValuesReader.Part> parts = read(ValuesReader.batch(request.body()));
        if (parts.isEmpty()) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "There is not a single point in it.")
                    .exception();
        }
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        for (ValuesReader.Part part : parts) {
            results.add(
                    part.values().count() == 0
                            ? CompletableFuture.completedFuture(
                                    new WriteResult.Done(List.of(), List.of()))
                            : values.write(part.channel(), part.type(), part.values()));
        }
        int written = 0;
        List<Map<String, Object>> rejected = new ArrayList<>();
        List<Map<String, Object>> failed = new ArrayList<>();
        Set<String> triggered = new LinkedHashSet<>();
        Set<String> cleared = new LinkedHashSet<>();
        RefusedException last = null;
        for (int i = 0; i < parts.size(); i++) {
            ValuesReader.Part part = parts.get(i);
            for (NewValues.Rejected each : part.values().rejected()) {
                Map<String, Object> view = place(part);
                view.put("point_id", each.point());
                view.put("reason", each.reason());
                rejected.add(view);
            }
            switch (results.get(i).join()) {
                case WriteResult.Done done -> {
                    written += part.values().count();
                    triggered.addAll(done.triggered());
                    cleared.addAll(done.cleared());
                }
                case WriteResult.Failed(Outcome<Long> outcome) -> {
                    last = notStored(outcome);
                    Map<String, Object> view = place(part);
                    view.put("code", last.why().code().name());
                    view.put("message", last.why().message());
                    failed.add(view);
                }
            }
        }
        if (last != null && written == 0) {
            throw last;
        }
        if (written == 0) {
            throw Refused.of(EmsCode.VALIDATION_ERROR, "None of these points can be stored.")
                    .with("rejected", rejected)
                    .exception();
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("written", written);
        data.put("rejected", rejected);
        data.put("failed", failed);
        data.put("alarms", Map.of("triggered", triggered, "cleared", cleared));
        return EmsAnswer.ok(data);
    }

    private static Map<String, Object> place(ValuesReader.Part part) {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("channel_id", part.channel());
        place.put("type", part.type().name());
        return place;
    }

    private static <T> T read(ValuesReader.Read<T> read) {
        return switch (read) {
            case ValuesReader.Read.Done<T>(T value) -> value;
            case ValuesReader.Read.NotJson<T>(String why) ->
                    throw Refused.of(EmsCode.INVALID_JSON, why).exception();
            case ValuesReader.Read.Invalid<T>(String why) ->
                    throw Refused.of(EmsCode.VALIDATION_ERROR, why).exception();
            case ValuesReader.Read.TooMany<T>(String why) ->
                    throw Refused.of(EmsCode.PAYLOAD_TOO_LARGE, why).exception();
        };
    }

    /** Why a commit was not done, in the words that clients know. */
    static RefusedException notStored(Outcome<Long> outcome) {
        String sentence =
                switch (outcome) {
                    case Outcome.Done<Long> done -> "It was stored.";
                    case Outcome.Unconfirmed<Long>(Long number, String why) -> why;
                    case Outcome.NotDone<Long>(Reason reason, String why) -> why;
                    case Outcome.Unknown<Long>(String why) -> why;
                };
        EmsCode code =
                outcome instanceof Outcome.NotDone<Long>(Reason reason, String why)
                        ? code(reason)
                        : EmsCode.STORE_UNAVAILABLE;
        return Refused.of(code, sentence).exception();
    }

    private static EmsCode code(Reason reason) {
        return switch (reason) {
            case WRONG_TYPE -> EmsCode.STORE_TYPE_CONFLICT;
            case TOO_LARGE -> EmsCode.PAYLOAD_TOO_LARGE;
            case REFUSED -> EmsCode.VALIDATION_ERROR;
            case ERROR -> EmsCode.INTERNAL_ERROR;
            // Others were faster again and again: it passes.
            case CONFLICT, DUPLICATE, ABSENT, FULL, READ_ONLY, DENIED, UNAVAILABLE ->
                    EmsCode.STORE_UNAVAILABLE;
        };
    }

    // ---------------------------------------------------------------- reading

    private EmsAnswer read(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        PointType type = type(request);
        List<String> wanted =
                request.query("points").map(text -> Arrays.asList(text.split(","))).orElse(null);
        if (wanted != null) {
            wanted.forEach(ValuesApi::mustBePoint);
        }
        Values.Stored stored =
                wanted == null ? values.all(channel, type) : values.some(channel, type, wanted);
        if (stored.isEmpty() && !channels.exists(channel)) {
            throw ChannelPath.unknown(channel);
        }
        StringBuilder out = new StringBuilder(64 + 96 * stored.values().size());
        out.append("{\"channel_id\":").append(channel);
        out.append(",\"type\":\"").append(type).append("\",\"values\":[");
        String comma = "";
        for (String point : sorted(stored.values().keySet())) {
            out.append(comma);
            append(out, stored.present(point));
            comma = ",";
        }
        return EmsAnswer.json(200, out.append("]}").toString().getBytes(StandardCharsets.UTF_8));
    }

    /** By number; what others have put there under other names comes last. */
    private static List<String> sorted(Set<String> points) {
        return points.stream()
                .sorted(
                        Comparator.comparingLong(
                                        (String point) -> {
                                            long id = PointIds.point(point);
                                            return id == 0 ? Long.MAX_VALUE : id;
                                        })
                                .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private EmsAnswer one(EmsRequest request) {
        int channel = ChannelPath.channel(request);
        PointType type = type(request);
        String point = request.variable("point_id");
        mustBePoint(point);
        Values.Stored stored = values.some(channel, type, List.of(point));
        if (stored.isEmpty()) {
            if (!channels.exists(channel)) {
                throw ChannelPath.unknown(channel);
            }
            throw Refused.of(
                            EmsCode.POINT_NOT_FOUND,
                            "Point %s of type %s of channel %d has no value."
                                    .formatted(point, type, channel))
                    .exception();
        }
        StringBuilder out = new StringBuilder(96);
        append(out, stored.present(point));
        return EmsAnswer.json(200, out.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void append(StringBuilder out, Points.Present present) {
        Value value = present.value();
        out.append("{\"point_id\":");
        if (PointIds.point(value.field()) == 0) {
            JsonText.append(out, value.field());
        } else {
            out.append(value.field());
        }
        out.append(",\"value\":");
        Numbers.appendJson(out, value.text(), value.number());
        out.append(",\"quality\":\"").append(value.quality().word());
        out.append("\",\"timestamp\":");
        if (present.at().isPresent()) {
            out.append('"').append(Texts.iso(present.at().get())).append('"');
        } else {
            out.append("null");
        }
        out.append('}');
    }

    // ---------------------------------------------------------------- what a path says

    private static PointType type(EmsRequest request) {
        String text = request.variable("type");
        return PointType.of(text)
                .orElseThrow(() -> invalid("A type is T, S, C or A, not '%s'.".formatted(text)));
    }

    private static PointType readType(EmsRequest request) {
        PointType type = type(request);
        if (!type.isRead()) {
            throw invalid(
                    "Values are written to points of type T or S; %s is what is sent to devices."
                            .formatted(type));
        }
        return type;
    }

    private static void mustBePoint(String text) {
        if (PointIds.point(text) == 0) {
            throw invalid("A point is a number from 1 to 4294967295, not '%s'.".formatted(text));
        }
    }

    private static RefusedException invalid(String sentence) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence).exception();
    }
}
