package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What all workers of a hub use.
 *
 * @param workerName of this hub, and of no other
 */
record Tools(
        CommandReads reads,
        CommandWrites writes,
        ChannelBook channels,
        CommandSettings settings,
        CommandFigures figures,
        InstantSource clock,
        String workerName) {

    private static final Logger log = LoggerFactory.getLogger(Tools.class);
    private static final Seldom BURIALS = new Seldom();

    /** How long a worker waits for the one before it to record what it knows. */
    Duration patience() {
        return Duration.ofSeconds(5);
    }

    /** Whether a step was done. What others were faster with is looked at again; else it throws. */
    boolean settled(Outcome<Long> outcome) {
        if (outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.ABSENT)
                || outcome.failedBy(Reason.DUPLICATE)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }

    /** Moves what is not a command out of the way. */
    void bury(int channel, byte[] element, Cell list, String reason) {
        figures.buried();
        String text = new String(element, 0, Math.min(200, element.length), StandardCharsets.UTF_8);
        BURIALS.say(
                more ->
                        log.warn(
                                "Moved from {} to event:queue:dead_letter: {}. element={} more={}",
                                list.at(Integer.toString(channel)).key(),
                                reason,
                                text,
                                more));
        settled(writes.bury(channel, element, list, reason));
    }
}
