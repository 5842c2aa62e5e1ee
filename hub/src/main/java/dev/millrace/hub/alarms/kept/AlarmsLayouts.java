package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Codec;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.pattern.KeyPattern;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The keys of alarm rules and alarms. None of the reference's names the source it lives with, so in
 * a cluster an alarm rule is found by its home pointer.
 */
public final class AlarmsLayouts {
    static final String HOME = "home of the source";
    static final String RULE_INDEX = "alarm:rule:index";
    static final String ACTIVE = "idx:alarm:active";
    static final String WATCHING = "idx:alarm:watch:{source}:{field:segment}";

    /** Ids that would lead to the key of something else, or that the paths of the API take. */
    public static final Set<String> RESERVED =
            Set.of(
                    "rule",
                    "events",
                    "index",
                    "config",
                    "active",
                    "watch",
                    "triggered",
                    "acknowledge",
                    "batch-acknowledge",
                    "statistics",
                    "test");

    public static final Layout<AlarmRule> RULES =
            Layout.hash(
                            "alarm:rule:{id:shortname}",
                            AlarmRule.class,
                            new Hash<>(
                                    "id",
                                    AlarmRule::id,
                                    AlarmRule.FIELDS,
                                    AlarmRule::fields,
                                    AlarmRule::new),
                            KeyGrammars.ALL)
                    .named("Alarm rule")
                    .about("When to raise an alarm.")
                    .bind("id", AlarmRule::id)
                    .bind(HOME, AlarmRule::home)
                    .ownedBy(HOME)
                    .foreign()
                    .losesTo(RULE_INDEX)
                    .indexedBy("source_key", "field")
                    .set(RULE_INDEX)
                    .bind("source", AlarmRule::sourceKey)
                    .bind("field", AlarmRule::field)
                    .set(WATCHING);

    public static final Layout<Alarm> ALARMS =
            Layout.hash(
                            "alarm:{rule_id:shortname}",
                            Alarm.class,
                            new Hash<>(
                                    "rule_id",
                                    Alarm::ruleId,
                                    Alarm.FIELDS,
                                    Alarm::fields,
                                    Alarm::new),
                            KeyGrammars.ALL)
                    .about("The one alarm of an alarm rule, raised or not.")
                    .bind("rule_id", Alarm::ruleId)
                    .bind(HOME, Alarm::home)
                    .ownedBy(HOME)
                    .foreign()
                    .losesTo("alarm:events")
                    .indexedBy("status", "source_key")
                    .set(ACTIVE)
                    .when(Alarm::isActive);

    /** The keys that say which rules watch a field. */
    static final KeyPattern WATCHES =
            RULES.spots().stream()
                    .map(Spot::pattern)
                    .filter(each -> each.text().equals(WATCHING))
                    .findFirst()
                    .orElseThrow();

    private static final Cell RULE_AS_SUBMITTED =
            Cell.of(KeyType.STRING, "alarm:rule:config:{id:shortname}", KeyGrammars.ALL)
                    .livesBeside(HOME, RULES, "id")
                    .about("The whole alarm rule as it was submitted, as JSON.");

    private static final Cell AT_HOME =
            Cell.of(KeyType.SET, "millrace:alarm-rules:{home:name}")
                    .ownedBy("home")
                    .bookkeeping()
                    .about("The alarm rules that live with this channel, or with the site.");

    private static final Cell EVENTS =
            Cell.of(KeyType.LIST, "alarm:events")
                    .livesWith(HOME)
                    .about("What happened to alarms, newest first.");

    private static final Cell EVENT_NUMBER =
            Cell.of(KeyType.STRING, "millrace:alarm-events-seq")
                    .livesWith(HOME)
                    .about("The number of the newest event of alarms.");

    static final Cell GENERATION =
            Cell.of(KeyType.STRING, "millrace:alarm-generation:{home:name}")
                    .ownedBy("home")
                    .bookkeeping()
                    .about("Raised by every change of a rule or an alarm of this source.");

    private AlarmsLayouts() {}

    public static List<Declaration> all() {
        return List.of(RULES, ALARMS, RULE_AS_SUBMITTED, AT_HOME, EVENTS, EVENT_NUMBER, GENERATION);
    }

    /** The home of which a key is the generation. */
    static String homeOf(String generationKey) {
        return generationKey.substring(GENERATION.pattern().head().length());
    }

    /** Where the JSON of a rule is. */
    static Cell.Key submitted(String home, String rule) {
        return RULE_AS_SUBMITTED.of(home, rule);
    }

    /** The rules of one home: the reference has no index that says it. */
    static Cell.Key rulesAt(String home) {
        return AT_HOME.at(home);
    }

    /** The events of the place where this home is. */
    static Cell.Key events(String home) {
        return EVENTS.of(home);
    }

    static Cell.Key eventNumber(String home) {
        return EVENT_NUMBER.of(home);
    }

    static Cell.Key generation(String home) {
        return GENERATION.at(home);
    }

    /**
     * A hash whose fields are kept as the texts that they are, beside the id that its key says too;
     * which of them mean something is the logic's business. What others add beside them is neither
     * read nor touched.
     */
    private record Hash<E>(
            String idField,
            Function<E, String> id,
            Collection<String> declared,
            Function<E, Map<String, String>> fields,
            BiFunction<String, Map<String, String>, E> maker)
            implements Codec.Fields<E> {

        @Override
        public Set<String> names() {
            Set<String> all = new HashSet<>(declared);
            all.add(idField);
            return all;
        }

        @Override
        public Map<String, String> encode(E entity) {
            Map<String, String> all = new LinkedHashMap<>(fields.apply(entity));
            all.put(idField, id.apply(entity));
            return all;
        }

        @Override
        public E decode(Map<String, String> all) {
            Map<String, String> known = new HashMap<>();
            for (String name : declared) {
                String value = all.get(name);
                if (value != null) {
                    known.put(name, value);
                }
            }
            return maker.apply(all.getOrDefault(idField, ""), known);
        }
    }
}
