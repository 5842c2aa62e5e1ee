package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Leftover;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.ArrayList;
import java.util.List;

/**
 * Names what another system has left behind, and removes it if it is to repair. One call is enough
 * also for a large key: Redis takes its name away at once and its content apart in the background.
 */
final class LeftoverCheck {
    private static final Script REMOVE = Script.emptying(LeftoverCheck.class, "remove");

    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;

    LeftoverCheck(Ground ground, CheckLog log, boolean repair) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
    }

    private record Removal(Found found, Leftover leftover, Request request) {}

    void check(List<Found> step) {
        List<Removal> removals = new ArrayList<>();
        for (Found found : step) {
            if (found.spots().getFirst().owner() instanceof Leftover leftover) {
                removals.add(new Removal(found, leftover, request(found, leftover)));
            }
        }
        if (repair) {
            removals.forEach(each -> ground.redis().submit(each.request));
        }
        removals.forEach(this::report);
    }

    private static Request request(Found found, Leftover leftover) {
        Place place = found.place();
        byte[][] keys = {place.key(found.key())};
        String type = leftover.type().redisName();
        return Request.script(REMOVE, place.order(), place.slot(), keys, text(type)).twice();
    }

    private void report(Removal removal) {
        boolean removed = false;
        if (repair) {
            try {
                removed = Replies.isPresent(removal.request.await());
                if (!removed) {
                    return; // gone meanwhile, or something else lies there now
                }
            } catch (RedisException e) {
                removed = false; // a server that takes no writes is reported all the same
            }
        }
        log.found(
                Finding.Kind.LEFTOVER,
                removal.leftover.name(),
                removal.found.fullKey(),
                "was left behind: " + removal.leftover.about(),
                removed);
    }
}
