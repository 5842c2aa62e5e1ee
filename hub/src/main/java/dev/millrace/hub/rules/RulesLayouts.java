package dev.millrace.hub.rules;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of business rules and their executions. */
public final class RulesLayouts {
    static final Layout<Rule> RULES =
            Layout.json("rule:{id:shortname}", Rule.class, KeyGrammars.ALL)
                    .about("Business logic: on this condition, do that.")
                    .ownedBySite()
                    .foreign()
                    .losesTo("rule:index", "rule:status", "rule:statistics")
                    .set("rule:index");

    static final Cell STATUS =
            Cell.of(KeyType.HASH, "rule:status").about("Rule to enabled or disabled.");

    static final Cell EXECUTIONS =
            Cell.of(KeyType.LIST, "rule:execution:{id:shortname}", KeyGrammars.ALL)
                    .about("What came of running the rule, newest first.");

    static final Cell STATISTICS =
            Cell.of(KeyType.HASH, "rule:statistics")
                    .about("How often rules ran, and how it ended.");

    private RulesLayouts() {}

    public static List<Declaration> all() {
        return List.of(RULES, STATUS, EXECUTIONS, STATISTICS);
    }
}
