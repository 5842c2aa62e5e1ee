package dev.millrace.keyspace.redis.walk;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.options.Endpoint;

import java.util.List;
import java.util.function.Consumer;

/** Goes over every key of every server in small steps, on a connection of its own. */
public final class KeyWalk {
    /** Keys at a time: the server answers within a fraction of a millisecond. */
    public static final int STEP = 128;

    private KeyWalk() {}

    /**
     * Some keys, and where to go on.
     *
     * @param next {@code 0} if these were the last of the server
     */
    public record Step(String next, List<?> keys) {}

    /** About so many keys from a cursor on; every key that stays there is given sooner or later. */
    public static Step step(OwnConnection connection, String cursor, int count) {
        List<?> reply =
                Replies.list(
                        connection.call(text("SCAN"), text(cursor), text("COUNT"), number(count)));
        return new Step(Replies.textOrEmpty(reply.get(0)), Replies.list(reply.get(1)));
    }

    /** Hands over the names of some keys at a time; one may come twice. */
    public static void over(Redis redis, Pace pace, Consumer<List<?>> work) {
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                String cursor = "0";
                do {
                    long began = Ticks.REAL.now();
                    Step step = step(connection, cursor, STEP);
                    cursor = step.next;
                    work.accept(step.keys);
                    pace.rest(Ticks.REAL, Ticks.REAL.now() - began);
                } while (!cursor.equals("0"));
            }
        }
    }
}
