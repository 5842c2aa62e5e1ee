package dev.millrace.hub.ops;

import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.Topic;

import java.util.ArrayList;
import java.util.List;

/** Readers of a feed that are so far behind that something will be refused or lost. */
final class Behind {
    /** Of the hard cap: late enough to be no false alarm, early enough to do something. */
    private static final double DANGER = 0.9;

    private Behind() {}

    static List<String> of(Topic topic, FeedHealth health) {
        List<String> reasons = new ArrayList<>();
        boolean danger = health.fullest() >= DANGER * topic.hardCap();
        for (FeedHealth.Reader reader : health.readers()) {
            if (danger && reader.unread() > 0) {
                reasons.add(
                        "The reader %s of the feed %s is %d facts behind%s, and the feed is nearly at its cap of %d bytes: %s. See why it does not read."
                                .formatted(
                                        reader.name(),
                                        topic.name(),
                                        reader.unread(),
                                        reader.since().map(since -> " since " + since).orElse(""),
                                        topic.hardCap(),
                                        then(reader.policy())));
            }
        }
        return reasons;
    }

    private static String then(Topic.Behind policy) {
        return switch (policy) {
            case REFUSE -> "writes will be refused";
            case GAP -> "it will lose facts";
        };
    }
}
