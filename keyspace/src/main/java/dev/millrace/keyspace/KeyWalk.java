package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.number;
import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Endpoint;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.List;
import java.util.function.Consumer;

/** Goes over every key of every server in small steps, on a connection of its own. */
final class KeyWalk {
    private KeyWalk() {}

    /** Hands over the names of about so many keys at a time; one may come twice. */
    static void over(Redis redis, int step, Consumer<List<?>> work) {
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                String cursor = "0";
                do {
                    List<?> reply =
                            Replies.list(
                                    connection.call(
                                            text("SCAN"),
                                            text(cursor),
                                            text("COUNT"),
                                            number(step)));
                    cursor = Replies.textOrEmpty(reply.get(0));
                    work.accept(Replies.list(reply.get(1)));
                } while (!cursor.equals("0"));
            }
        }
    }
}
