package dev.millrace.hub.history.batches;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Samples that were recorded in one step.
 *
 * @param created when, in ms
 * @param points how many samples it was made with
 * @param attempts how often it was offered
 * @param ended when it was written or failed, in ms; 0 before
 * @param error why it failed; empty if it has not
 * @param samples none once they are not needed any more
 */
record Batch(
        String id,
        long created,
        BatchStatus status,
        int points,
        int attempts,
        long ended,
        String error,
        List<Item> samples) {
    private static final long SECOND = 1000;

    Batch {
        samples = List.copyOf(samples);
    }

    /** A sample, and whose it is. */
    record Item(SeriesName series, Sample sample) {
        Map<String, Object> view() {
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("source", series.source());
            view.put("id", series.id());
            view.put("field", series.field());
            view.put("ts", sample.at());
            view.put("value", sample.isNumber() ? number(sample.number()) : sample.text());
            return view;
        }

        /** Whole numbers without a fraction. */
        private static Object number(double number) {
            return number == Math.rint(number) && Math.abs(number) < 1e15
                    ? (Object) (long) number
                    : (Object) number;
        }
    }

    static Batch of(String id, long now, List<Item> samples) {
        return new Batch(id, now, BatchStatus.CREATED, samples.size(), 1, 0, "", samples);
    }

    Batch offeredAgain() {
        return new Batch(id, created, status, points, attempts + 1, ended, error, samples);
    }

    Batch written(long now) {
        return new Batch(id, created, BatchStatus.WRITTEN, points, attempts, now, "", List.of());
    }

    Batch failed(long now, String why, boolean withSamples) {
        return new Batch(
                id,
                created,
                BatchStatus.FAILED,
                points,
                attempts,
                now,
                why,
                withSamples ? samples : List.of());
    }

    /** As it is stored. */
    byte[] write() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("batch_id", id);
        json.put("created_at", Long.toString(created / SECOND));
        json.put("created_at_ms", created);
        json.put("status", status.word());
        json.put("point_count", points);
        json.put("attempts", attempts);
        if (ended > 0) {
            json.put("ended_at_ms", ended);
        }
        if (!error.isEmpty()) {
            json.put("error", error);
        }
        json.put("samples", samples.stream().map(Item::view).toList());
        return Json.write(json);
    }

    /** Empty if it is something that somebody else has put there. */
    static Optional<Batch> read(String id, String text) {
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(text.getBytes(UTF_8));
        } catch (JacksonException e) {
            return Optional.empty();
        }
        Optional<BatchStatus> status = BatchStatus.of(json.path("status").asString(""));
        if (status.isEmpty() || !json.path("batch_id").asString("").equals(id)) {
            return Optional.empty();
        }
        List<Item> samples = new ArrayList<>();
        for (JsonNode each : json.path("samples")) {
            samples.add(
                    new Item(
                            new SeriesName(
                                    each.path("source").asString(""),
                                    each.path("id").asString(""),
                                    each.path("field").asString("")),
                            Sample.of(each.path("ts").asLong(0), each.path("value").asString(""))));
        }
        return Optional.of(
                new Batch(
                        id,
                        json.path("created_at_ms").asLong(0),
                        status.get(),
                        json.path("point_count").asInt(samples.size()),
                        json.path("attempts").asInt(1),
                        json.path("ended_at_ms").asLong(0),
                        json.path("error").asString(""),
                        samples));
    }
}
