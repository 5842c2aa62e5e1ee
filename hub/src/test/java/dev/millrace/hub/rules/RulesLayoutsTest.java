package dev.millrace.hub.rules;

import static dev.millrace.hub.rules.RulesLayouts.RULES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

class RulesLayoutsTest {

    @Test
    void a_rule_is_in_the_index() {
        assertThat(RULES.entries(new Rule("r1")))
                .containsExactly(new Entry.Member("rule:index", "r1"));
        RoundTrip.of(RULES, "r1", new Rule("r1"), new Rule("r1"));
    }
}
