package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Endpoint;

import java.util.LongSummaryStatistics;

/** The clocks of the servers, which decide what has expired; ours may be wrong. */
final class ServerClock {
    private ServerClock() {}

    /** In ms since 1970: the first and the last of all primaries. */
    static LongSummaryStatistics now(Redis redis) {
        LongSummaryStatistics clocks = new LongSummaryStatistics();
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                clocks.accept(Homes.millis(connection.call(text("TIME"))));
            }
        }
        return clocks;
    }
}
