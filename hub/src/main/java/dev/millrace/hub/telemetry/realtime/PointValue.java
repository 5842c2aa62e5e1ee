package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.telemetry.kept.PointIds;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;

/**
 * A value of a point as clients are told it.
 *
 * @param json the value as JSON
 * @param quality how far it may be believed, in a word
 * @param at when it was measured, as ISO 8601; null if nobody said
 */
public record PointValue(String point, String json, String quality, @Nullable String at) {
    /** By number; what others have put there under other names comes last. */
    static final Comparator<String> ORDER =
            Comparator.comparingLong(
                            (String point) -> {
                                long id = PointIds.point(point);
                                return id == 0 ? Long.MAX_VALUE : id;
                            })
                    .thenComparing(Comparator.naturalOrder());

    /** Whether a client that knows the other one has nothing to learn from this one. */
    boolean saysTheSame(@Nullable PointValue other) {
        return other != null && json.equals(other.json) && quality.equals(other.quality);
    }

    /** Appends the members {@code point_id} and, unless they are not wanted, all others. */
    void append(StringBuilder out, boolean withQuality, boolean withTime) {
        out.append("{\"point_id\":");
        appendPoint(out);
        out.append(",\"value\":").append(json);
        if (withQuality) {
            out.append(",\"quality\":\"").append(quality).append('"');
        }
        if (withTime) {
            out.append(",\"timestamp\":");
            appendTime(out);
        }
        out.append('}');
    }

    void appendPoint(StringBuilder out) {
        if (PointIds.point(point) == 0) {
            JsonText.append(out, point);
        } else {
            out.append(point);
        }
    }

    void appendTime(StringBuilder out) {
        if (at == null) {
            out.append("null");
        } else {
            out.append('"').append(at).append('"');
        }
    }
}
