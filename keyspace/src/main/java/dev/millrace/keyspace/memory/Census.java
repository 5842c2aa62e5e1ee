package dev.millrace.keyspace.memory;

import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.layout.CatalogueText;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.walk.KeyWalk;
import dev.millrace.keyspace.redis.walk.Pace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * How many keys there are of each pattern, and how many that nobody claims. Taken by a walk in
 * small steps over every server; while others write, it is as exact as a walk can be: a key that
 * comes, goes or is seen twice meanwhile may count or not.
 *
 * @param keys for each spot of the catalogue that has any, in the catalogue's order
 * @param unknown keys that no declaration claims
 * @param examples some of them
 */
public record Census(Map<Spot, Long> keys, long unknown, List<String> examples) {
    static final int EXAMPLES = 20;

    public Census {
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        examples = List.copyOf(examples);
    }

    /** All keys, those of nobody included. */
    public long total() {
        return unknown + keys.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A table of the patterns that have keys. */
    public String markdown() {
        List<List<String>> rows = new ArrayList<>();
        keys.forEach(
                (spot, count) ->
                        rows.add(
                                List.of(
                                        Long.toString(count),
                                        spot.type().words(),
                                        "`" + spot.pattern() + "`",
                                        spot.owner() instanceof Layout<?> layout
                                                ? layout.name()
                                                : "")));
        return CatalogueText.table(List.of("Keys", "Data Type", "Key", "Of"), rows);
    }

    public static Census take(Ground ground, Pace pace, LongConsumer progress) {
        return walk(ground, pace, progress).census();
    }

    /** The walk, with some keys of each pattern beside the counts. */
    static Tally walk(Ground ground, Pace pace, LongConsumer progress) {
        Tally tally = new Tally(ground.catalogue());
        AtomicLong seen = new AtomicLong();
        KeyWalk.over(
                ground.redis(),
                pace,
                step -> {
                    count(ground, step, tally);
                    progress.accept(seen.addAndGet(step.size()));
                });
        return tally;
    }

    private static void count(Ground ground, List<?> step, Tally tally) {
        List<Found> values = new ArrayList<>();
        for (Object each : step) {
            byte[] full = (byte[]) each;
            Found.of(ground, full)
                    .ifPresentOrElse(
                            found -> {
                                Spot first = found.spots().getFirst();
                                if (first.role() == Spot.Role.VALUE) {
                                    values.add(found);
                                } else {
                                    tally.add(first, found.fullKey());
                                }
                            },
                            () -> tally.addStranger(new String(full, StandardCharsets.UTF_8)));
        }
        // Kinds that share a pattern, and the rest, are told apart by their kind index.
        Map<Found, List<Layout<?>>> claims = Check.claims(ground, values);
        for (Found found : values) {
            List<Layout<?>> layouts = claims.getOrDefault(found, List.of());
            found.spots().stream()
                    .filter(
                            spot ->
                                    spot.owner() instanceof Layout<?> owner
                                            && layouts.contains(owner))
                    .findFirst()
                    .ifPresentOrElse(
                            spot -> tally.add(spot, found.fullKey()),
                            () -> tally.addStranger(found.fullKey()));
        }
    }
}
