package dev.millrace.hub.models;

import static dev.millrace.hub.models.ModelsLayouts.MODELS;
import static dev.millrace.hub.models.ModelsLayouts.TEMPLATES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class ModelsLayoutsTest {
    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private static ModelConfiguration model(String text) {
        return new ModelConfiguration("tr_1", json(text));
    }

    @Test
    void a_model_is_in_the_index_and_under_its_type_or_else_its_template() {
        assertThat(MODELS.entries(model("{\"type\":\"transformer\",\"template\":\"tr_10kv\"}")))
                .containsExactly(
                        new Entry.Member("model:index", "tr_1"),
                        new Entry.Member("idx:model:type:transformer", "tr_1"));
        assertThat(MODELS.entries(model("{\"template\":\"tr_10kv\"}")))
                .contains(new Entry.Member("idx:model:type:tr_10kv", "tr_1"));
    }

    @Test
    void they_live_and_die_whole() {
        RoundTrip.of(
                MODELS,
                "tr_1",
                model("{\"type\":\"transformer\"}"),
                model("{\"type\":\"battery\",\"template\":\"bat\"}"));
        RoundTrip.of(
                TEMPLATES,
                "config",
                new Template("config", json("{\"id\":\"config\"}")),
                new Template("config", json("{\"id\":\"config\",\"name\":\"x\"}")));
    }
}
