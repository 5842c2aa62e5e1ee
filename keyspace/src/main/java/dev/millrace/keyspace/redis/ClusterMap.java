package dev.millrace.keyspace.redis;

import static java.util.Objects.requireNonNull;

import dev.millrace.keyspace.redis.Wire.BrokenWireException;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads which primary owns which slots, from the first node that answers. */
final class ClusterMap {

    /** Slots {@code first} to {@code last}, both included, and their primary. */
    record Range(int first, int last, Endpoint primary) {}

    private ClusterMap() {}

    static List<Range> read(List<Endpoint> nodes, RedisOptions options, Watchdog watchdog) {
        RedisException failure =
                new RedisException(Reason.UNAVAILABLE, "No node of the cluster can be reached.");
        for (Endpoint node : nodes) {
            try (Wire wire = Wire.open(node, options, watchdog)) {
                wire.expectWithin(options.answerTime().toNanos());
                Object reply = wire.exchange("CLUSTER", "SLOTS");
                if (reply instanceof ErrorReply error && !error.code().equals("ERR")) {
                    throw error.asException();
                }
                if (reply instanceof ErrorReply error) {
                    throw new RedisException(
                            Reason.REFUSED,
                            "Redis at "
                                    + node
                                    + " is not a cluster node ("
                                    + error.message()
                                    + "); use redis:// for a single server.");
                }
                List<Range> map = decode(reply, node);
                if (!map.isEmpty()) {
                    return map;
                }
            } catch (RedisException e) {
                failure.addSuppressed(e);
                if (e.reason() != Reason.UNAVAILABLE) {
                    throw e;
                }
            } catch (BrokenWireException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static List<Range> decode(@Nullable Object reply, Endpoint asked) {
        List<Range> map = new ArrayList<>();
        for (Object each : (List<?>) requireNonNull(reply)) {
            List<?> range = (List<?>) each;
            List<?> primary = (List<?>) range.get(2);
            byte[] name = (byte[]) primary.get(0);
            String host = name == null ? "" : new String(name, StandardCharsets.UTF_8);
            // A node that does not know its own address yet answers with nothing or '?'.
            Endpoint endpoint =
                    new Endpoint(
                            host.isEmpty() || host.equals("?") ? asked.host() : host,
                            ((Long) primary.get(1)).intValue());
            int first = ((Long) range.get(0)).intValue();
            map.add(new Range(first, ((Long) range.get(1)).intValue(), endpoint));
        }
        return map;
    }
}
