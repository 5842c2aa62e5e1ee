package dev.millrace.hub.models;

import dev.millrace.hub.history.recording.Observed;
import dev.millrace.hub.history.recording.Recordable;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measurements of models, as history records them. */
record Recorded() implements Recordable {
    @Override
    public Topic topic() {
        return ModelsLayouts.TOPIC;
    }

    @Override
    public Optional<Observed> read(Fact fact) {
        try {
            JsonNode node = Json.MAPPER.readTree(fact.body());
            long at = Instant.parse(node.path("timestamp").asString("")).toEpochMilli();
            List<Observed.Field> fields = new ArrayList<>();
            for (Map.Entry<String, JsonNode> each : node.path("values").properties()) {
                fields.add(
                        new Observed.Field(
                                each.getKey(), Sample.of(at, each.getValue().asString(""))));
            }
            return fields.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Observed(
                                    new Thing("model", node.path("model_id").asString("")),
                                    "measurement",
                                    at,
                                    fields));
        } catch (JacksonException | DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
