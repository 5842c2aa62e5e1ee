package dev.millrace.hub.rules.kept;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.pattern.KeyPattern;

import java.util.List;

/** The keys of business rules and their executions. All of them are the site's. */
public final class RulesLayouts {
    static final String INDEX = "rule:index";

    static final Layout<RuleDocument> RULES =
            Layout.json(
                            "rule:{id:shortname}",
                            RuleDocument.class,
                            new RuleDocument.Text(),
                            KeyGrammars.ALL)
                    .named("Rule")
                    .about("Business logic: on this condition, do that.")
                    .bind("id", RuleDocument::id)
                    .ownedBySite()
                    .foreign()
                    .losesTo("rule:index", "rule:status", "rule:statistics")
                    .set(INDEX);

    static final Cell STATUS =
            Cell.of(KeyType.HASH, "rule:status").about("Rule to enabled or disabled.");

    static final Cell EXECUTIONS =
            Cell.of(KeyType.LIST, "rule:execution:{id:shortname}", KeyGrammars.ALL)
                    .about("What came of running the rule, newest first.");

    static final Cell STATISTICS =
            Cell.of(KeyType.HASH, "rule:statistics")
                    .about("How often rules ran, and how it ended.");

    static final Cell MEMORY =
            Cell.of(KeyType.STRING, "rulesrv:memory:{id:shortname}", KeyGrammars.ALL)
                    .about(
                            "What a rule remembers: since when its conditions hold, what its"
                                    + " functions have gathered, when it acted.");

    static final Cell VALUES =
            Cell.of(KeyType.STRING, "rulesrv:value:{name:shortname}", KeyGrammars.ALL)
                    .about("A value that rules have set.");

    private RulesLayouts() {}

    /** What others may write: rules, their index and whether they are enabled. */
    public static List<KeyPattern> watched() {
        return List.of(RULES.pattern(), STATUS.pattern());
    }

    public static List<Declaration> all() {
        return List.of(RULES, STATUS, EXECUTIONS, STATISTICS, MEMORY, VALUES);
    }
}
