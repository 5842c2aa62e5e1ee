package dev.millrace.hub.alarms;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/**
 * The keys of alarm rules and alarms. None of them names the source it lives with, so in a cluster
 * an alarm rule is found by its home pointer.
 */
public final class AlarmsLayouts {
    static final Layout<AlarmRule> RULES =
            Layout.hash("alarm:rule:{id:shortname}", AlarmRule.class, KeyGrammars.ALL)
                    .named("Alarm rule")
                    .about("When to raise an alarm.")
                    .bind("home of the source", AlarmRule::home)
                    .ownedBy("home of the source")
                    .foreign()
                    .losesTo("alarm:rule:index")
                    .indexedBy("source_key", "field")
                    .set("alarm:rule:index")
                    .bind("source", AlarmRule::sourceKey)
                    .set("idx:alarm:watch:{source}:{field:segment}");

    static final Layout<Alarm> ALARMS =
            Layout.hash("alarm:{rule_id:shortname}", Alarm.class, KeyGrammars.ALL)
                    .about("The one alarm of an alarm rule, raised or not.")
                    .bind("rule_id", Alarm::ruleId)
                    .bind("home of the source", Alarm::home)
                    .ownedBy("home of the source")
                    .foreign()
                    .losesTo("alarm:events")
                    .indexedBy("status", "source_key")
                    .set("idx:alarm:active")
                    .when(Alarm::isActive);

    static final Cell RULE_AS_SUBMITTED =
            Cell.of(KeyType.STRING, "alarm:rule:config:{id:shortname}", KeyGrammars.ALL)
                    .livesBeside("home of the source", RULES, "id")
                    .about("The whole alarm rule as it was submitted, as JSON.");

    static final Cell EVENTS =
            Cell.of(KeyType.LIST, "alarm:events")
                    .livesWith("home of the source")
                    .about("What happened to alarms, newest first.");

    private AlarmsLayouts() {}

    public static List<Declaration> all() {
        return List.of(RULES, ALARMS, RULE_AS_SUBMITTED, EVENTS);
    }
}
