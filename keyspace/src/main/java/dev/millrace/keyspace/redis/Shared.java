package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** What all connections to one Redis have in common, whichever server they lead to. */
final class Shared {
    final RedisOptions options;
    final RedisStats stats = new RedisStats();
    final Watchdog watchdog = new Watchdog();

    /** Every script used so far; a new connection begins by loading them. */
    final Set<Script> scripts = ConcurrentHashMap.newKeySet();

    /** What every new connection says before it loads the scripts. */
    private final List<byte[][]> firstWords = new CopyOnWriteArrayList<>();

    /** Knows why the server does not answer, if anybody does. */
    volatile Supplier<Optional<ServerTrouble>> explanation = Optional::empty;

    Shared(RedisOptions options) {
        this.options = options;
    }

    void atConnect(List<byte[][]> commands) {
        firstWords.addAll(commands);
    }

    Greeting greeting(Endpoint server) {
        return new Greeting(wire -> Suitability.check(wire, server, options), firstWords, scripts);
    }

    Collection<byte[][]> firstWords() {
        return firstWords;
    }

    /** How long an answer may take. */
    long answerNanos() {
        return options.answerTime().toNanos();
    }
}
