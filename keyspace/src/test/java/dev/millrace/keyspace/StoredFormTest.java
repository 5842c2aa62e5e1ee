package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Values as other programs spell them, and values that do not fit their key. */
@OnEachSite
final class StoredFormTest extends EngineContract {
    record Rule(
            @JsonProperty("rule_id") String ruleId,
            @JsonProperty("source_key") @Nullable String sourceKey) {}

    @JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
    record Event(@JsonProperty("ID") String id, @JsonProperty("Device") String device) {}

    private static final Layout<Rule> RULES =
            Layout.hash("rule:{rule_id:name}", Rule.class)
                    .bind("rule_id", Rule::ruleId)
                    .ownedByItself()
                    .set("rules")
                    .bind("source", Rule::sourceKey)
                    .set("watch:{source}");

    private static final Layout<Event> EVENTS =
            Layout.json("event:{id:name}", Event.class)
                    .ownedByItself()
                    .sorted("events", 0)
                    .set("device:{device}");

    private static final Catalogue CATALOGUE = Keyspace.catalogue(RULES, EVENTS);

    StoredFormTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @Test
    void a_field_may_have_another_name_than_its_component() {
        keyspace.store(RULES).create(new Rule("hot", "comsrv:1:T")).orThrow();
        assertThat(raw("hot", "HGET", "rule:hot", "source_key")).isEqualTo("comsrv:1:T");
        assertThat(raw("hot", "SISMEMBER", "watch:comsrv:1:T", "hot")).isEqualTo(1L);
    }

    @Test
    void a_hash_written_by_hand_need_not_repeat_its_key() {
        raw("hot", "HSET", "rule:hot", "source_key", "comsrv:1:T");
        raw("hot", "SADD", "rules", "hot");
        raw("hot", "SADD", "watch:comsrv:1:T", "hot");
        assertThat(keyspace.store(RULES).get("hot").orElseThrow().value())
                .isEqualTo(new Rule("hot", "comsrv:1:T"));
    }

    @Test
    void a_value_that_says_it_is_another_entity_is_reported_and_left_alone() {
        driftIsExpected();
        keyspace.store(EVENTS).create(new Event("one", "pump")).orThrow();
        raw("one", "SET", "event:one", "{\"ID\":\"two\",\"Device\":\"pump\"}");
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings())
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.kind()).isEqualTo(Finding.Kind.UNDECODABLE);
                            assertThat(finding.detail()).contains("says that it is event:two");
                        });
        assertThat(raw("one", "ZSCORE", "events", "one")).isEqualTo("0");
        assertThatThrownBy(() -> keyspace.store(EVENTS).get("one"))
                .isInstanceOf(UndecodableException.class);
    }

    @Test
    void members_in_another_case_are_the_same_members() {
        raw("one", "SET", "event:one", "{\"id\":\"one\",\"DEVICE\":\"pump\",\"note\":\"kept\"}");
        raw("one", "ZADD", "events", "0", "one");
        raw("one", "SADD", "device:pump", "one");
        Store<Event> events = keyspace.store(EVENTS);
        events.replace(events.get("one").orElseThrow(), new Event("one", "fan")).orThrow();
        assertThat(raw("one", "GET", "event:one"))
                .isEqualTo("{\"ID\":\"one\",\"Device\":\"fan\",\"note\":\"kept\"}");
        assertThat(raw("one", "SMEMBERS", "device:fan")).isEqualTo(List.of("one"));
    }
}
