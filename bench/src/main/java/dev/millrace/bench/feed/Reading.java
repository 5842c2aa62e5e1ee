package dev.millrace.bench.feed;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;

import java.time.Duration;

/** How many facts one durable reader reads when it is far behind. */
final class Reading {
    private static final Topic TOPIC = Topic.named("bench-reading");
    private static final int FACTS_OF_COMMIT = 100;
    private static final int AT_ONCE = 256;
    private static final byte[] BODY = new byte[120];

    private Reading() {}

    /** Facts a second; each batch is marked as read in a commit. */
    static double perSecond(Keyspace keyspace, int facts) {
        keyspace.feed(TOPIC).forget("reading");
        FeedReader reader = keyspace.feed(TOPIC).reader("reading", Topic.Behind.GAP, false);
        for (int i = 0; i < facts; i += FACTS_OF_COMMIT) {
            Commit commit = keyspace.commit("pump");
            for (int j = 0; j < FACTS_OF_COMMIT; j++) {
                commit.with(keyspace.feed(TOPIC).fact(BODY));
            }
            commit.run().orThrow();
        }
        long began = System.nanoTime();
        long read = 0;
        while (read < facts) {
            for (FeedReader.Unread unread : reader.next(AT_ONCE, Duration.ofSeconds(5))) {
                reader.commit(unread).with(unread.readTo(unread.facts().getLast())).run().orThrow();
                read += unread.facts().size();
            }
        }
        return read * 1e9 / (System.nanoTime() - began);
    }
}
