package dev.millrace.hub.rules.running;

import dev.millrace.hub.rules.kept.RuleBook;
import dev.millrace.hub.rules.kept.RunLog;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;
import dev.millrace.hub.rules.logic.Sight;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a runner has its rules from, and what becomes of what it finds: they act, or somebody takes
 * note of what they would have done. Of one thread alone.
 */
interface Deeds {
    List<RuleBook.Entry> all();

    Optional<RuleBook.Entry> one(String ruleId);

    /** What a rule remembers when it begins to run. */
    Memory memory(String ruleId);

    /** A rule has looked. */
    void looked(Rule rule, Sight sight, boolean met);

    /** It did not, because it rests. */
    void rested(Rule rule);

    void act(Execution execution, Memory memory);

    /** What rules remember has changed. */
    void remember(Map<String, Memory> changed);

    /** Adds to the counters what was counted since. */
    void count(RunLog.Counts counts);

    /** Those of the site. */
    record OfSite(RuleBook book, RunLog runs, Acting acting) implements Deeds {
        @Override
        public List<RuleBook.Entry> all() {
            List<RuleBook.Entry> all = book.all();
            book.agree(all);
            return all;
        }

        @Override
        public Optional<RuleBook.Entry> one(String ruleId) {
            return book.get(ruleId);
        }

        @Override
        public Memory memory(String ruleId) {
            return book.memory(ruleId);
        }

        @Override
        public void looked(Rule rule, Sight sight, boolean met) {}

        @Override
        public void rested(Rule rule) {}

        @Override
        public void act(Execution execution, Memory memory) {
            acting.act(execution, memory, false);
        }

        @Override
        public void remember(Map<String, Memory> changed) {
            runs.remember(changed);
        }

        @Override
        public void count(RunLog.Counts counts) {
            runs.count(counts);
        }
    }
}
