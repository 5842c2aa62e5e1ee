package dev.millrace.keyspace.check;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.walk.KeyWalk;
import dev.millrace.keyspace.redis.walk.Primaries;
import dev.millrace.keyspace.redis.walk.Ticks;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One run of a check: all keys once for the indexes, once for the values; a step, a rest, a step.
 * One that was interrupted begins anew.
 */
final class CheckRun {
    /** Between two lines about how far it is. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Many indexes have few entries: some of them are walked side by side. */
    private static final int SIDE_BY_SIDE = 8;

    /** Lists are many and short: more of them, and fewer members of each at a time. */
    private static final int LISTS_SIDE_BY_SIDE = 64;

    private static final int PASSES = 2;

    /** Between two looks at an entry that leads to nothing. */
    private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MOST_SUSPECTS = 2048;

    private final Check check;
    private final Ground ground;
    private final Ticks ticks;
    private final CheckLog log = new CheckLog();
    private final IndexCheck indexes;
    private final ListCheck lists;
    private final HomeCheck homes;
    private final ValueCheck values;
    private final LeftoverCheck leftovers;
    private final EnteredCheck entered;
    private final Primaries servers;
    private final long began;
    private long keysSeen;
    private long told;
    private long stepBegan;

    CheckRun(Check check) {
        this.check = check;
        this.ground = check.ground;
        this.ticks = check.ticks;
        this.indexes = new IndexCheck(ground, log, check.repair);
        this.lists = new ListCheck(ground, log, check.repair, indexes);
        this.leftovers = new LeftoverCheck(ground, log, check.repair);
        this.entered = new EnteredCheck(ground, log, check.repair);
        this.homes = new HomeCheck(ground, log, check.repair);
        this.values = new ValueCheck(ground, log, check.repair, homes);
        this.servers = Primaries.of(ground.redis());
        this.began = ticks.now();
        this.told = began;
        this.stepBegan = began;
    }

    CheckReport run() {
        if (!pass(this::someIndexes) || !pass(this::someValues)) {
            return log.report(CheckReport.End.STOPPED);
        }
        homes.end();
        return log.report(CheckReport.End.FINISHED);
    }

    /** Hands over all keys, some at a time; false as soon as somebody wants it to stop. */
    private boolean pass(Predicate<List<?>> work) {
        for (Endpoint server : servers.endpoints()) {
            try (OwnConnection connection = ground.redis().own(server)) {
                String cursor = "0";
                do {
                    KeyWalk.Step step = KeyWalk.step(connection, cursor, check.step);
                    cursor = step.next();
                    keysSeen += step.keys().size();
                    if (!work.test(step.keys()) || !goingOn()) {
                        return false;
                    }
                } while (!cursor.equals("0"));
            }
        }
        return true;
    }

    /** Rests after a step, and says how far it is now and then. */
    private boolean goingOn() {
        long now = ticks.now();
        if (now - told >= PERIOD_NANOS) {
            told = now;
            check.listener.accept(progress(now));
        }
        check.pace.rest(ticks, now - stepBegan);
        stepBegan = ticks.now();
        return !check.stop.getAsBoolean();
    }

    /** Every key is met once in each pass. */
    private CheckProgress progress(long now) {
        return new CheckProgress(
                keysSeen,
                Math.max(PASSES * servers.keys(), keysSeen),
                Duration.ofNanos(now - began),
                log.drift());
    }

    // ---------------------------------------------------------------- entries, then values

    private boolean someIndexes(List<?> keys) {
        List<IndexCheck.Part> open = new ArrayList<>();
        for (Found found : wanted(keys, CheckRun::isWalked, false)) {
            open.add(new IndexCheck.Part(found, "0"));
        }
        while (!open.isEmpty()) {
            open = someEntries(open);
            if (open.isEmpty() || indexes.suspects() + lists.suspects() > MOST_SUSPECTS) {
                lookAgain();
            }
            if (!goingOn()) {
                return false;
            }
        }
        return true;
    }

    /** Others may enter an id first and write its value then: what looks wrong gets a moment. */
    private void lookAgain() {
        if (indexes.suspects() + lists.suspects() > 0) {
            ticks.sleep(APART_NANOS);
        }
        indexes.lookAgain();
        lists.lookAgain();
    }

    /** Looks at some entries of some indexes, and gives what is left to do. */
    private List<IndexCheck.Part> someEntries(List<IndexCheck.Part> open) {
        List<IndexCheck.Part> ofIndexes = new ArrayList<>();
        List<IndexCheck.Part> ofLists = new ArrayList<>();
        int taken = 0;
        for (IndexCheck.Part part : open) {
            if (ofIndexes.size() == SIDE_BY_SIDE || ofLists.size() == LISTS_SIDE_BY_SIDE) {
                break;
            }
            taken++;
            (ListCheck.isList(part.found().spots().getFirst()) ? ofLists : ofIndexes).add(part);
        }
        List<IndexCheck.Part> left = new ArrayList<>();
        unfinished(ofIndexes, indexes.check(ofIndexes, check.step), left);
        int some = Math.max(1, check.step * SIDE_BY_SIDE / LISTS_SIDE_BY_SIDE);
        unfinished(ofLists, lists.check(ofLists, some), left);
        left.addAll(open.subList(taken, open.size()));
        return left;
    }

    private static void unfinished(
            List<IndexCheck.Part> parts, List<String> next, List<IndexCheck.Part> left) {
        for (int i = 0; i < next.size(); i++) {
            if (!next.get(i).equals("0")) {
                left.add(new IndexCheck.Part(parts.get(i).found(), next.get(i)));
            }
        }
    }

    private boolean someValues(List<?> keys) {
        List<Found> found = wanted(keys, spot -> !isWalked(spot), true);
        values.check(found);
        homes.check(found);
        leftovers.check(found);
        entered.check(found);
        return true;
    }

    /** Whether what is in it is looked at entry by entry, before the values. */
    private static boolean isWalked(Spot spot) {
        return spot.role() == Spot.Role.INDEX || ListCheck.isList(spot);
    }

    private List<Found> wanted(List<?> keys, Predicate<Spot> wanted, boolean noteUnknown) {
        List<Found> step = new ArrayList<>(keys.size());
        for (Object each : keys) {
            byte[] full = (byte[]) each;
            Optional<Found> found = Found.of(ground, full);
            if (found.isPresent()) {
                if (found.get().spots().stream().anyMatch(wanted)) {
                    step.add(found.get());
                }
            } else if (noteUnknown) {
                log.unknown(new String(full, StandardCharsets.UTF_8));
            }
        }
        return wellTyped(step);
    }

    /**
     * Reports keys of a wrong type and goes on with the others. Kinds that share a pattern may have
     * different types: theirs are looked at when it is known which kind it is.
     */
    private List<Found> wellTyped(List<Found> step) {
        List<Request> requests =
                step.stream().map(found -> found.place().ask("TYPE", found.key())).toList();
        List<@Nullable Object> types = ground.redis().callAll(requests);
        List<Found> well = new ArrayList<>();
        for (int i = 0; i < step.size(); i++) {
            Found found = step.get(i);
            String type = Replies.textOrEmpty(types.get(i));
            Spot spot = found.spots().getFirst();
            boolean shared =
                    found.layouts().stream()
                            .anyMatch(layout -> layout.mapping().kind().isPresent());
            if (type.equals("none")) {
                continue;
            }
            if (shared || type.equals(spot.type().redisName())) {
                well.add(new Found(found.place(), found.key(), found.spots(), type));
            } else {
                log.wrongType(spot.owner().name(), found.fullKey(), type, spot.type());
            }
        }
        return well;
    }
}
