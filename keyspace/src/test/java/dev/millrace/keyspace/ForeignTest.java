package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.millrace.keyspace.Plant.Rule;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Layouts that others write too: an index entry is a hint, the value is the truth. */
@OnEachSite
final class ForeignTest extends EngineContract {
    private static final String WATCH = "idx:alarm:watch:{source}:{field:name}";

    record Part(String part, String shelf, double weight) {}

    private static final Layout<Part> PARTS =
            Layout.json("part:{part:name}", Part.class)
                    .ownedBySite()
                    .foreign()
                    .sorted("parts:weight", Part::weight)
                    .sorted("parts:shelf:{shelf}", Part::weight);

    private static final List<Declaration> ALL = new ArrayList<>(Plant.CATALOGUE.declarations());

    static {
        ALL.add(PARTS);
    }

    private static final Catalogue CATALOGUE = Keyspace.catalogue(ALL);

    private Store<Rule> rules;
    private Store<Part> parts;

    ForeignTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void stores() {
        rules = keyspace.store(Plant.RULES);
        parts = keyspace.store(PARTS);
    }

    /** As the third of the five systems writes a rule. */
    private void plant(String rule, String source, String field) {
        raw(
                Declaration.SITE,
                "HSET",
                "alarm:rule:" + rule,
                "source",
                source,
                "field",
                field,
                "threshold",
                "85");
        raw(Declaration.SITE, "SADD", "alarm:rule:index", rule);
        raw(Declaration.SITE, "SADD", "idx:alarm:watch:" + source + ":" + field, rule);
    }

    @Test
    void what_others_wrote_is_read_changed_and_deleted() {
        plant("hot", "comsrv:1:T", "101");
        assertThat(rules.get("hot").map(Stored::value))
                .contains(new Rule("hot", "comsrv:1:T", "101", 85, false));
        assertThat(rules.query(WATCH, "comsrv:1:T", "101").page().items()).hasSize(1);
        done(rules.update("hot", old -> new Rule("hot", "comsrv:2:T", "101", 90, true)));
        assertThat(rules.query(WATCH, "comsrv:1:T", "101").count()).isZero();
        assertThat(rules.query(WATCH, "comsrv:2:T", "101").count()).isEqualTo(1);
        done(rules.delete("hot"));
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void an_entry_that_its_value_does_not_ask_for_is_not_shown_and_removed() {
        plant("hot", "comsrv:1:T", "101");
        raw(Declaration.SITE, "SADD", "idx:alarm:watch:comsrv:9:T:7", "hot");
        assertThat(rules.query(WATCH, "comsrv:9:T", "7").page().items()).isEmpty();
        assertThat(raw(Declaration.SITE, "EXISTS", "idx:alarm:watch:comsrv:9:T:7")).isEqualTo(0L);
        assertThat(rules.query(WATCH, "comsrv:1:T", "101").page().items()).hasSize(1);
    }

    @Test
    void an_entry_without_a_value_is_not_shown_and_is_removed_by_those_who_read_it_later() {
        plant("hot", "comsrv:1:T", "101");
        raw(Declaration.SITE, "DEL", "alarm:rule:hot");
        await().atMost(60, SECONDS)
                .untilAsserted(
                        () -> {
                            assertThat(rules.query("alarm:rule:index").page().items()).isEmpty();
                            assertThat(rules.query(WATCH, "comsrv:1:T", "101").page().items())
                                    .isEmpty();
                            assertThat(allKeys()).isEmpty();
                        });
    }

    @Test
    void an_entry_whose_value_is_only_just_coming_stays() {
        raw(Declaration.SITE, "SADD", "alarm:rule:index", "hot");
        assertThat(rules.query("alarm:rule:index").page().items()).isEmpty();
        assertThat(raw(Declaration.SITE, "SISMEMBER", "alarm:rule:index", "hot")).isEqualTo(1L);
        plant("hot", "comsrv:1:T", "101");
        assertThat(rules.query("alarm:rule:index").page().items()).hasSize(1);
    }

    @Test
    void a_wrong_score_is_corrected() {
        done(parts.create(new Part("bolt", "a", 5)));
        raw(
                Declaration.SITE,
                "SET",
                "part:bolt",
                "{\"part\":\"bolt\",\"shelf\":\"b\",\"weight\":7}");
        assertThat(parts.query("parts:weight").page().items()).isEmpty();
        assertThat(parts.query("parts:weight").page().values())
                .containsExactly(new Part("bolt", "b", 7));
        assertThat(parts.query("parts:shelf:{shelf}", "a").page().items()).isEmpty();
        assertThat(raw(Declaration.SITE, "EXISTS", "parts:shelf:a")).isEqualTo(0L);
        // A missing entry cannot be seen by a reader; the check enters it.
        assertThat(keyspace.check().repairing().run().findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.MISSING_ENTRY);
        assertThat(parts.query("parts:shelf:{shelf}", "b").count()).isEqualTo(1);
    }

    @Test
    void an_entry_of_a_value_that_cannot_be_read_is_left_alone() {
        driftIsExpected();
        done(parts.create(new Part("bolt", "a", 5)));
        raw(Declaration.SITE, "SET", "part:bolt", "{broken");
        assertThat(parts.query("parts:weight").page().items()).isEmpty();
        assertThat(raw(Declaration.SITE, "ZSCORE", "parts:weight", "bolt")).isEqualTo("5");
        raw(Declaration.SITE, "DEL", "part:bolt");
        raw(Declaration.SITE, "RPUSH", "part:bolt", "x");
        assertThat(parts.query("parts:weight").page().items()).isEmpty();
        assertThat(raw(Declaration.SITE, "ZSCORE", "parts:weight", "bolt")).isEqualTo("5");
    }

    @Test
    void readers_that_mend_do_not_undo_a_writer() {
        Crowd.run(
                6,
                thread -> {
                    for (int i = 0; i < 50; i++) {
                        if (thread < 2) {
                            // Half a foreign write: an entry without its value, then both.
                            raw(Declaration.SITE, "SADD", "alarm:rule:index", "r" + thread);
                        } else if (thread < 4) {
                            Rule rule = new Rule("r" + (thread - 2), "s" + i % 3, "f", i, true);
                            done(rules.put(rule));
                            if (i < 49) {
                                rules.delete(rule.rule());
                            }
                        } else {
                            rules.query("alarm:rule:index").page();
                            rules.query(WATCH, "s" + i % 3, "f").page();
                        }
                    }
                });
        assertThat(rules.query("alarm:rule:index").page().values())
                .containsExactlyInAnyOrder(
                        new Rule("r0", "s1", "f", 49, true), new Rule("r1", "s1", "f", 49, true));
    }
}
