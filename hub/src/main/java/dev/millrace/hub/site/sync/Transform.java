package dev.millrace.hub.site.sync;

import dev.millrace.hub.http.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What becomes of fields on their way. */
final class Transform {
    private final JsonNode mapping;
    private final JsonNode chosen;
    private final String type;
    private final BigDecimal scale;
    private final BigDecimal offset;
    private final String extracted;

    Transform(SyncPattern pattern) {
        this.mapping = pattern.document().path("field_mapping");
        this.chosen = pattern.document().path("source").path("fields");
        JsonNode transform = pattern.document().path("transform");
        this.type = transform.path("type").asString("direct");
        this.scale = transform.path("scale").asDecimal(BigDecimal.ONE);
        this.offset = transform.path("offset").asDecimal(BigDecimal.ZERO);
        this.extracted = transform.path("field").asString("");
    }

    Map<String, String> of(Map<String, String> fields) {
        Map<String, String> after = new LinkedHashMap<>();
        fields.forEach(
                (field, text) -> {
                    if (!field.startsWith("_") && isChosen(field)) {
                        value(text)
                                .ifPresent(
                                        each ->
                                                after.put(
                                                        mapping.path(field).asString(field), each));
                    }
                });
        return after;
    }

    private boolean isChosen(String field) {
        if (!chosen.isArray() || chosen.isEmpty()) {
            return true;
        }
        for (JsonNode each : chosen) {
            if (each.asString("").equals(field)) {
                return true;
            }
        }
        return false;
    }

    private Optional<String> value(String text) {
        return switch (type) {
            case "numeric" -> number(text);
            case "json_extract" -> extract(text);
            default -> Optional.of(text);
        };
    }

    private Optional<String> number(String text) {
        try {
            BigDecimal number = new BigDecimal(text.strip());
            if (Math.abs((long) number.scale()) > 400 || number.precision() > 400) {
                return Optional.empty();
            }
            BigDecimal after = number.multiply(scale).add(offset);
            return Optional.of(
                    after.signum() == 0 ? "0" : after.stripTrailingZeros().toPlainString());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private Optional<String> extract(String text) {
        try {
            JsonNode node = Json.MAPPER.readTree(text);
            for (String part : extracted.split("\\.", -1)) {
                node = node.path(part);
            }
            return node.isMissingNode() || node.isNull()
                    ? Optional.empty()
                    : Optional.of(node.isString() ? node.asString() : node.toString());
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
