package dev.millrace.keyspace.redis.walk;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.options.Endpoint;

import java.util.Map;

/**
 * What all servers that hold data say about their memory.
 *
 * @param used in bytes
 * @param max what they may use; 0 if nothing limits one of them
 */
public record ServerMemory(long used, long max) {

    public static ServerMemory of(Redis redis) {
        long used = 0;
        long max = 0;
        boolean limited = true;
        for (Endpoint server : redis.primaries()) {
            Map<String, String> info = info(redis, server);
            used += Long.parseLong(info.getOrDefault("used_memory", "0"));
            long own = Long.parseLong(info.getOrDefault("maxmemory", "0"));
            max += own;
            limited &= own > 0;
        }
        return new ServerMemory(used, limited ? max : 0);
    }

    private static Map<String, String> info(Redis redis, Endpoint server) {
        try (OwnConnection connection = redis.own(server)) {
            String info = Replies.textOrEmpty(connection.call(text("INFO"), text("memory")));
            return ServerInfo.parse(info).fields();
        }
    }
}
