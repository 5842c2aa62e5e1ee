package dev.millrace.hub.readings.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What readings of one name are. As it is sent it may lack everything; as it is stored it has an id
 * and a name.
 *
 * @param min the least value allowed: any JSON value, usually a text
 * @param max the greatest value allowed
 * @param type {@code B}, {@code F}, {@code I}, {@code S} or {@code J} where readings are checked
 * @param uomLabel the unit of measure
 * @param formatting how to print a value, in the manner of {@code printf}
 * @param origin the time at the source, in whatever unit it uses
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record ValueDescriptor(
        @Nullable String id,
        long created,
        @Nullable String description,
        long modified,
        long origin,
        @Nullable String name,
        @Nullable VerbatimJson min,
        @Nullable VerbatimJson max,
        @Nullable VerbatimJson defaultValue,
        @Nullable String type,
        @Nullable String uomLabel,
        @Nullable String formatting,
        @Nullable List<String> labels,
        @Nullable String mediaType,
        @Nullable String floatEncoding) {

    public ValueDescriptor {
        labels = labels == null ? null : labels.stream().map(ValueDescriptor::orEmpty).toList();
    }

    /** The same as it is stored for the first time. */
    public ValueDescriptor asNew(String newId, long now) {
        return new ValueDescriptor(
                newId,
                created == 0 ? now : created,
                description,
                modified,
                origin,
                name,
                min,
                max,
                defaultValue,
                type,
                uomLabel,
                formatting,
                labels,
                mediaType,
                floatEncoding);
    }

    /** The same with whatever the other says; what it does not say stays. */
    public ValueDescriptor changedBy(ValueDescriptor sent, long now) {
        return new ValueDescriptor(
                id,
                created,
                said(sent.description, description),
                now,
                sent.origin == 0 ? origin : sent.origin,
                said(sent.name, name),
                sent.min == null ? min : sent.min,
                sent.max == null ? max : sent.max,
                sent.defaultValue == null ? defaultValue : sent.defaultValue,
                said(sent.type, type),
                said(sent.uomLabel, uomLabel),
                said(sent.formatting, formatting),
                sent.labels == null ? labels : sent.labels,
                said(sent.mediaType, mediaType),
                said(sent.floatEncoding, floatEncoding));
    }

    /** Its name, by which readings and people know it. */
    public String nameOrEmpty() {
        return orEmpty(name);
    }

    private static @Nullable String said(@Nullable String now, @Nullable String before) {
        return now == null || now.isEmpty() ? before : now;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
