package dev.millrace.hub;

import dev.millrace.keyspace.testing.RawConnection;

/** What a careless writer leaves behind: two entries missing, one that leads to nothing. */
public final class Damage {
    public static final String EVENT = "57ba04a1189b95b8afcdafd7";
    public static final String GONE = "57b9fe08189b95b8afcdafd4";

    private Damage() {}

    public static void plant(RawConnection redis) {
        redis.command("SET", EVENT, "{\"ID\":\"" + EVENT + "\",\"Device\":\"pump\",\"Created\":5}");
        redis.command("ZADD", "event", "0", EVENT);
        redis.command("ZADD", "reading:created", "5", GONE);
    }
}
