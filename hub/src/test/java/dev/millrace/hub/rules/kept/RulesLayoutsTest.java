package dev.millrace.hub.rules.kept;

import static dev.millrace.hub.rules.kept.RulesLayouts.RULES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class RulesLayoutsTest {

    @Test
    void a_rule_is_in_the_index() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("name", "night").put("of_ours", false);
        RuleDocument rule = new RuleDocument("r1", document);
        assertThat(RULES.entries(rule)).containsExactly(new Entry.Member("rule:index", "r1"));
        RoundTrip.of(RULES, "r1", rule, rule);
    }
}
