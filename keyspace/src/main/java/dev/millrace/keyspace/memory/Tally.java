package dev.millrace.keyspace.memory;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Spot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What one walk over all keys counts; of each pattern it keeps some keys, chosen at random. */
final class Tally {
    /** So many keys of each pattern are kept: all of them, where there are not more. */
    static final int SAMPLE = 256;

    private final Map<Spot, Pile> piles = new LinkedHashMap<>();
    private final Pile strangers = new Pile();
    private final List<String> examples = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom();

    Tally(Catalogue catalogue) {
        catalogue.spots().forEach(spot -> piles.put(spot, new Pile()));
    }

    /** The keys of one pattern, each as likely to be kept as any other. */
    final class Pile {
        private final List<String> kept = new ArrayList<>();
        private long count;

        private void add(String key) {
            count++;
            if (kept.size() < SAMPLE) {
                kept.add(key);
            } else {
                long at = random.nextLong(count);
                if (at < SAMPLE) {
                    kept.set((int) at, key);
                }
            }
        }

        long count() {
            return count;
        }

        List<String> kept() {
            return kept;
        }
    }

    void add(Spot spot, String fullKey) {
        piles.computeIfAbsent(spot, each -> new Pile()).add(fullKey);
    }

    void addStranger(String fullKey) {
        strangers.add(fullKey);
        if (examples.size() < Census.EXAMPLES) {
            examples.add(fullKey);
        }
    }

    Map<Spot, Pile> piles() {
        return piles;
    }

    Pile strangers() {
        return strangers;
    }

    Census census() {
        Map<Spot, Long> keys = new LinkedHashMap<>();
        piles.forEach(
                (spot, pile) -> {
                    if (pile.count > 0) {
                        keys.put(spot, pile.count);
                    }
                });
        return new Census(keys, strangers.count, examples);
    }
}
