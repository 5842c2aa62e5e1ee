package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Walks all keys and compares values and indexes both ways, online, in small steps, while others
 * write. What looks wrong is looked at again in one atomic question before it counts, and a repair
 * is a commit with "the value is what I read", so that a concurrent writer is never undone.
 *
 * <p>First every index: does each entry lead to a value that asks for it? Then every value: does it
 * have each entry it asks for? What cannot be read or has a wrong type is reported, never removed.
 */
public final class Check {
    private static final int STEP = 256;

    private final Keyspace keyspace;
    private final CheckLog log = new CheckLog();
    private boolean repair;
    private Consumer<String> progress = line -> {};

    Check(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** Repairs what can be repaired. */
    public Check repairing() {
        repair = true;
        return this;
    }

    /** Told in a line how far it is, every few thousand keys. */
    public Check progress(Consumer<String> listener) {
        progress = listener;
        return this;
    }

    public CheckReport run() {
        IndexCheck indexes = new IndexCheck(keyspace, log, repair);
        walk("indexes", spot -> spot.role() == Spot.Role.INDEX, indexes::check);
        HomeCheck homes = new HomeCheck(keyspace, log, repair);
        ValueCheck values = new ValueCheck(keyspace, log, repair, homes);
        walk(
                "values",
                spot -> spot.role() != Spot.Role.INDEX,
                step -> {
                    values.check(step);
                    homes.check(step);
                });
        homes.end();
        return log.report();
    }

    /**
     * A key in the database.
     *
     * @param key its name without the shard's prefix
     * @param spots what it may be
     * @param type what it really is, as Redis names it
     */
    record Found(Place place, String key, List<Spot> spots, String type) {
        String fullKey() {
            return place.prefix() + key;
        }

        /** The layouts whose value it may be. */
        List<Layout<?>> layouts() {
            List<Layout<?>> layouts = new ArrayList<>();
            for (Spot spot : spots) {
                if (spot.role() == Spot.Role.VALUE && spot.owner() instanceof Layout<?> layout) {
                    layouts.add(layout);
                }
            }
            return layouts;
        }
    }

    private void walk(String what, Predicate<Spot> wanted, Consumer<List<Found>> work) {
        boolean countUnknown = what.equals("values");
        AtomicLong seen = new AtomicLong();
        KeyWalk.over(
                keyspace.redis(),
                STEP,
                keys -> {
                    List<Found> step = classify(keys, countUnknown);
                    step.removeIf(found -> found.spots.stream().noneMatch(wanted));
                    if (!step.isEmpty()) {
                        work.accept(wellTyped(step));
                    }
                    long before = seen.getAndAdd(keys.size());
                    if (before / 10_000 != seen.get() / 10_000) {
                        progress.accept(
                                "checking %s: %d keys seen, %d differences"
                                        .formatted(what, seen.get(), log.drift()));
                    }
                });
    }

    private List<Found> classify(List<?> keys, boolean countUnknown) {
        List<Found> step = new ArrayList<>(keys.size());
        for (Object each : keys) {
            byte[] full = (byte[]) each;
            Optional<Found> found = classify(full);
            if (found.isPresent()) {
                step.add(found.get());
            } else if (countUnknown) {
                log.unknown(new String(full, StandardCharsets.UTF_8));
            }
        }
        return step;
    }

    /** What a key, with its shard's prefix, may be; empty if nobody claims it. */
    Optional<Found> classify(byte[] full) {
        String name = new String(full, StandardCharsets.UTF_8);
        if (!Arrays.equals(text(name), full)) {
            return Optional.empty(); // no text, so none of our keys
        }
        Place place = keyspace.shards().place(Shards.SITE);
        String key = name;
        if (keyspace.shards().cluster()) {
            Optional<Place> shard = keyspace.shards().byPrefix(name);
            if (shard.isPresent()) {
                place = shard.get();
                key = name.substring(place.prefix().length());
            } else {
                int own = name.indexOf('}') + 1;
                boolean tagFirst = name.startsWith("{") && name.startsWith(Keyspace.OWN, own);
                place = keyspace.shards().tagged(name, name);
                if (tagFirst) {
                    String tag = name.substring(1, own - 1);
                    place = keyspace.shards().beside(keyspace.shards().tagged(name, tag));
                    key = name.substring(own);
                }
            }
        }
        List<Spot> spots = keyspace.catalogue().spotsOf(text(key));
        boolean prefixed = !place.prefix().isEmpty() || !keyspace.shards().cluster();
        List<Spot> possible =
                spots.stream().filter(spot -> prefixed || spot.pattern().tagged()).toList();
        return possible.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(place, key, possible, ""));
    }

    /**
     * Reports keys of a wrong type and goes on with the others. Kinds that share a pattern may have
     * different types: theirs are looked at when it is known which kind it is.
     */
    private List<Found> wellTyped(List<Found> step) {
        List<Request> requests =
                step.stream().map(found -> ask(found.place, "TYPE", found.key)).toList();
        List<@Nullable Object> types = keyspace.redis().callAll(requests);
        List<Found> well = new ArrayList<>();
        for (int i = 0; i < step.size(); i++) {
            Found found = step.get(i);
            String type = Replies.textOrEmpty(types.get(i));
            Spot spot = found.spots.getFirst();
            boolean shared = found.layouts().stream().anyMatch(layout -> layout.kind().isPresent());
            if (type.equals("none")) {
                continue;
            }
            if (shared || type.equals(spot.type().redisName())) {
                well.add(new Found(found.place, found.key, found.spots, type));
            } else {
                log.wrongType(spot.owner().name(), found.fullKey(), type, spot.type());
            }
        }
        return well;
    }

    static Request ask(Place place, String command, String key, String... more) {
        byte[][] parts = new byte[2 + more.length][];
        parts[0] = text(command);
        parts[1] = place.key(key);
        for (int i = 0; i < more.length; i++) {
            parts[2 + i] = text(more[i]);
        }
        return Request.reading(place.order(), place.slot(), parts);
    }

    /** The answer; null if the key holds another type, which is reported where it lies. */
    static @Nullable Object answer(Request request) {
        try {
            return request.await();
        } catch (RedisException e) {
            if (e.reason() == Reason.WRONG_TYPE) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Which layouts claim each value: the one whose pattern it has; of kinds that share a pattern,
     * those whose index names it. That should be one.
     */
    static Map<Found, List<Layout<?>>> claims(Keyspace keyspace, List<Found> values) {
        Map<Found, List<Layout<?>>> claims = new LinkedHashMap<>();
        List<Request> requests = new ArrayList<>();
        for (Found found : values) {
            claims.put(found, new ArrayList<>());
            for (Layout<?> layout : found.layouts()) {
                layout.kind()
                        .ifPresent(
                                kind ->
                                        requests.add(
                                                ask(
                                                        found.place,
                                                        "ZSCORE",
                                                        kind,
                                                        layout.idOf(found.key))));
            }
        }
        requests.forEach(keyspace.redis()::submit);
        Iterator<Request> answers = requests.iterator();
        claims.forEach(
                (found, claiming) -> {
                    for (Layout<?> layout : found.layouts()) {
                        if (layout.kind().isEmpty() || answer(answers.next()) != null) {
                            claiming.add(layout);
                        }
                    }
                });
        return claims;
    }
}
