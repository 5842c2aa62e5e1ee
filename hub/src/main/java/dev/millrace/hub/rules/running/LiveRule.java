package dev.millrace.hub.rules.running;

import dev.millrace.hub.rules.kept.RuleDocument;
import dev.millrace.hub.rules.logic.Memory;
import dev.millrace.hub.rules.logic.Rule;

import java.util.List;

/** A rule that runs, with what it remembers. Of the thread that runs rules alone. */
final class LiveRule {
    final Rule rule;
    final RuleDocument document;
    Memory memory;

    /** When it looks next by itself; never if it is the largest number. */
    long nextAt = Long.MAX_VALUE;

    /** When a condition will have held for long enough, as far as it is known. */
    long dueAt = Long.MAX_VALUE;

    /** Up to where the feed was written when the present values were asked for; none until then. */
    Ends ends = Ends.UNKNOWN;

    /** When the rule was stored, as far as that is known. */
    final long savedAt;

    LiveRule(Rule rule, RuleDocument document, Memory memory, long savedAt) {
        this.rule = rule;
        this.document = document;
        this.memory = memory;
        this.savedAt = savedAt;
    }

    /** Up to where the feeds of values and of measurements were written at a time, by shard. */
    record Ends(List<Long> values, List<Long> measurements) {
        static final Ends UNKNOWN = new Ends(List.of(), List.of());
    }

    long wakesAt() {
        return Math.min(nextAt, dueAt);
    }

    /**
     * Whether a value was known before its fact was read, though it was written while the rule was
     * there already: so it is news all the same.
     */
    boolean isNewValue(int shard, long number, long at) {
        return isNews(ends.values, shard, number, at);
    }

    /** The same of what a model measures. */
    boolean isNewMeasurement(int shard, long number, long at) {
        return isNews(ends.measurements, shard, number, at);
    }

    private boolean isNews(List<Long> known, int shard, long number, long at) {
        return !known.isEmpty()
                && number <= known.get(known.size() == 1 ? 0 : shard)
                && at >= savedAt;
    }

    boolean rests(long now) {
        return rule.cooldownMillis() > 0
                && memory.actedAt()
                        .filter(acted -> now - acted < rule.cooldownMillis())
                        .isPresent();
    }
}
