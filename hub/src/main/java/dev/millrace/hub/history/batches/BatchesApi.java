package dev.millrace.hub.history.batches;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

/** Batches over HTTP: taken by whoever writes them to another store, and acknowledged. */
public final class BatchesApi {
    private static final String ROOM = "history";
    private static final String PATH = "/api/history/batches";
    private static final int STANDARD_LIMIT = 20;
    private static final int LARGEST_LIMIT = 100;
    private static final String PLACE = "[0-9]{1,15}-batch_[0-9_]{1,40}";

    private final Batches batches;

    public BatchesApi(Batches batches) {
        this.batches = batches;
    }

    public void addTo(EmsRoutes ems) {
        ems.get(
                        PATH,
                        route ->
                                route.needs(Role.VIEWER, ROOM)
                                        .about(
                                                "Batches of samples for another store, the oldest"
                                                        + " first.")
                                        .parameter("status", "created, written or failed; created")
                                        .parameter("limit", "at most so many; 20")
                                        .parameter("after", "the next of the answer before"),
                        this::list)
                .get(
                        PATH + "/{batch_id}",
                        route ->
                                route.needs(Role.VIEWER, ROOM)
                                        .about("A batch with its samples.")
                                        .parameter("format", "json, or lines: line protocol"),
                        this::one)
                .post(
                        PATH + "/{batch_id}/acknowledge",
                        route ->
                                route.needs(Role.OPERATOR, ROOM)
                                        .about(
                                                "Says that a batch is written elsewhere, or that it"
                                                        + " cannot be."),
                        this::acknowledge);
    }

    private EmsAnswer list(EmsRequest request) {
        String word = request.query("status").orElse(BatchStatus.CREATED.word());
        BatchStatus status =
                BatchStatus.of(word)
                        .orElseThrow(
                                () ->
                                        invalid(
                                                "status must be created, written or failed, not"
                                                        + " '%s'.",
                                                word));
        Batches.Some some =
                batches.list(
                        status,
                        request.query("after").map(BatchesApi::place),
                        request.number("limit", STANDARD_LIMIT, 1, LARGEST_LIMIT));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("batches", some.batches().stream().map(BatchesApi::view).toList());
        data.put("total", some.total());
        data.put("next", some.next().map(BatchesApi::text).orElse(null));
        return EmsAnswer.ok(data);
    }

    private static String text(Cells.Scored place) {
        return (long) place.score() + "-" + place.member();
    }

    private static Cells.Scored place(String text) {
        if (!text.matches(PLACE)) {
            throw invalid("after must be the next of an answer, not '%s'.", text);
        }
        int dash = text.indexOf('-');
        return new Cells.Scored(
                text.substring(dash + 1), (double) Long.parseLong(text.substring(0, dash)));
    }

    private static Map<String, Object> view(Batch batch) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("batch_id", batch.id());
        view.put("created_at", Times.iso(batch.created()));
        view.put("status", batch.status().word());
        view.put("point_count", batch.points());
        view.put("attempts", batch.attempts());
        if (batch.ended() > 0) {
            view.put("ended_at", Times.iso(batch.ended()));
        }
        if (!batch.error().isEmpty()) {
            view.put("error", batch.error());
        }
        return view;
    }

    private EmsAnswer one(EmsRequest request) {
        String id = request.variable("batch_id");
        String format = request.query("format").orElse("json");
        if (!format.equals("json") && !format.equals("lines")) {
            throw invalid("format must be json or lines, not '%s'.", format);
        }
        Batch batch =
                batches.find(id)
                        .map(Batches.Seen::batch)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.NOT_FOUND,
                                                        "There is no batch '%s'.".formatted(id))
                                                .exception());
        if (format.equals("lines")) {
            byte[] lines = LineProtocol.of(batch).getBytes(UTF_8);
            return EmsAnswer.file("text/plain; charset=utf-8", out -> out.write(lines));
        }
        Map<String, Object> view = view(batch);
        view.put("samples", batch.samples().stream().map(Batch.Item::view).toList());
        return EmsAnswer.ok(view);
    }

    private EmsAnswer acknowledge(EmsRequest request) {
        ObjectNode body = request.object();
        String word = body.path("status").asString("");
        BatchStatus status =
                BatchStatus.of(word)
                        .filter(each -> each != BatchStatus.CREATED)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.VALIDATION_ERROR,
                                                        "status must be written or failed.")
                                                .exception());
        String error = body.path("error").asString("");
        return switch (batches.acknowledge(request.variable("batch_id"), status, error)) {
            case Batches.Acknowledged.Done(Batch batch) -> EmsAnswer.ok(view(batch));
            case Batches.Acknowledged.Not(Refused why) -> throw why.exception();
        };
    }

    private static RefusedException invalid(String sentence, String given) {
        return Refused.of(EmsCode.INVALID_PARAMETER, sentence.formatted(given)).exception();
    }
}
