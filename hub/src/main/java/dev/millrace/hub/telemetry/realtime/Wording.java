package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What is said to clients: one JSON object in each frame. Thread-safe. */
final class Wording {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final InstantSource clock;
    private final AtomicLong number = new AtomicLong();

    /** The text of the second that was asked for last. */
    private volatile Moment moment = new Moment(0, "");

    private record Moment(long millis, String text) {}

    Wording(InstantSource clock) {
        this.clock = clock;
    }

    /** A message whose data is JSON already. */
    String message(String type, String data) {
        StringBuilder out = new StringBuilder(data.length() + 96);
        out.append("{\"type\":\"").append(type);
        out.append("\",\"id\":\"m").append(number.incrementAndGet());
        out.append("\",\"timestamp\":\"").append(now());
        return out.append("\",\"data\":").append(data).append('}').toString();
    }

    String message(String type, Map<String, ?> data) {
        return message(type, new String(Json.write(data), StandardCharsets.UTF_8));
    }

    /** Several updates in one message. */
    String batch(Collection<String> updates, int points, @Nullable String requestId) {
        StringBuilder out = new StringBuilder(64);
        out.append('{');
        if (requestId != null) {
            out.append("\"request_id\":");
            JsonText.append(out, requestId);
            out.append(',');
        }
        out.append("\"updates\":[").append(String.join(",", updates));
        out.append("],\"total_points\":").append(points).append('}');
        return message("data_batch", out.toString());
    }

    /**
     * What was asked of the past.
     *
     * @param answer a JSON object with members
     */
    String history(String answer, @Nullable String requestId) {
        StringBuilder out = new StringBuilder(answer.length() + 64);
        out.append("{\"request_id\":");
        if (requestId == null) {
            out.append("null");
        } else {
            JsonText.append(out, requestId);
        }
        return message(
                "history_data", out.append(',').append(answer, 1, answer.length()).toString());
    }

    String error(String code, String sentence, @Nullable String requestId) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("code", code);
        data.put("message", sentence);
        data.put("details", null);
        data.put("request_id", requestId);
        return message("error", data);
    }

    /** The present time as clients read it. */
    String now() {
        long millis = clock.millis();
        Moment known = moment;
        if (known.millis != millis) {
            known = new Moment(millis, ISO.format(clock.instant()));
            moment = known;
        }
        return known.text;
    }

    static String update(int channel, PointType type, Collection<PointValue> values) {
        return update(channel, type, values, true, true);
    }

    static String update(
            int channel,
            PointType type,
            Collection<PointValue> values,
            boolean withQuality,
            boolean withTime) {
        StringBuilder out = new StringBuilder(64 + 96 * values.size());
        out.append("{\"channel_id\":").append(channel);
        out.append(",\"data_type\":\"").append(type).append("\",\"values\":[");
        String comma = "";
        for (PointValue each : values) {
            out.append(comma);
            each.append(out, withQuality, withTime);
            comma = ",";
        }
        return out.append("]}").toString();
    }

    static String delta(int channel, PointType type, Collection<Change.Step> steps) {
        StringBuilder out = new StringBuilder(64 + 96 * steps.size());
        out.append("{\"channel_id\":").append(channel);
        out.append(",\"data_type\":\"").append(type).append("\",\"changes\":[");
        String comma = "";
        for (Change.Step each : steps) {
            PointValue before = each.before();
            PointValue now = each.now();
            out.append(comma).append("{\"point_id\":");
            now.appendPoint(out);
            out.append(",\"old_value\":").append(before == null ? "null" : before.json());
            out.append(",\"new_value\":").append(now.json());
            out.append(",\"quality\":\"").append(now.quality()).append("\",\"timestamp\":");
            now.appendTime(out);
            out.append('}');
            comma = ",";
        }
        return out.append("]}").toString();
    }

    static String joined(List<String> words) {
        return String.join(", ", words);
    }
}
