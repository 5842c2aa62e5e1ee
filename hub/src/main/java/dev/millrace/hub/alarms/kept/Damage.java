package dev.millrace.hub.alarms.kept;

import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULES;
import static dev.millrace.hub.alarms.kept.AlarmsLayouts.RULE_INDEX;

import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Held;

import java.util.ArrayList;
import java.util.List;

/** What others have put in the place of our keys. It harms nothing else; but it should be told. */
public final class Damage {
    private static final int MOST_NAMED = 5;

    private Damage() {}

    /** In sentences, for whoever asks the doctor. */
    public static List<String> advice(Keyspace keyspace) {
        List<String> advice = new ArrayList<>();
        Cells cells = keyspace.cells();
        Cells.Question<List<String>> events =
                cells.list(AlarmsLayouts.events(Declaration.SITE), 0, 0);
        Cells.Question<Long> number = cells.number(AlarmsLayouts.eventNumber(Declaration.SITE));
        if (events.answer() instanceof Held.SomethingElse<List<String>>) {
            advice.add(
                    "alarm:events is not a list: somebody has put something else there. Alarms go"
                            + " on, but their events are not kept; delete the key.");
        }
        if (number.answer() instanceof Held.SomethingElse<Long>) {
            advice.add(
                    "millrace:alarm-events-seq is not a number: events of alarms are not kept;"
                            + " delete the key.");
        }
        List<String> invalid = new ArrayList<>();
        for (Stored<AlarmRule> each : Watchlists.all(keyspace.store(RULES).query(RULE_INDEX))) {
            if (Terms.of(each.value()) instanceof Terms.Invalid(String reason)) {
                invalid.add(each.id() + " (" + reason + ")");
            }
        }
        if (!invalid.isEmpty()) {
            advice.add(
                    "%d alarm rules are never evaluated, such as %s."
                            .formatted(
                                    invalid.size(),
                                    String.join(
                                            ", ",
                                            invalid.subList(
                                                    0, Math.min(MOST_NAMED, invalid.size())))));
        }
        return advice;
    }
}
