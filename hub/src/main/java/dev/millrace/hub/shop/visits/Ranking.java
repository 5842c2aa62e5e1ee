package dev.millrace.hub.shop.visits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Cells.Scored;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Several rankings read as one: each is asked for some of its first items, and for more as those
 * are used up. Equal ones stand in the order of their bytes, as in Redis.
 */
final class Ranking {
    /** Rankings of a cluster are about as long as each other, so two turns are usual. */
    private static final int LEAST_AT_ONCE = 64;

    private static final int MOST_AT_ONCE = 10_000;

    private final Keyspace keyspace;
    private final List<Cell.Key> keys;

    Ranking(Keyspace keyspace, List<Cell.Key> keys) {
        this.keyspace = keyspace;
        this.keys = keys;
    }

    /** An item in the ranking. */
    record Place(String item, double score) {}

    /**
     * The first items.
     *
     * @param shares how many of them each ranking has
     */
    record Top(List<Place> places, int[] shares) {}

    /** A part of one ranking that was read and not used yet. */
    private static final class Source {
        private final int number;
        private final Deque<Scored> read = new ArrayDeque<>();
        private long next;
        private boolean ended;

        private Source(int number) {
            this.number = number;
        }

        private Scored head() {
            return read.getFirst();
        }
    }

    Top top(int most) {
        int step =
                keys.size() == 1
                        ? Math.min(Math.max(1, most), MOST_AT_ONCE)
                        : Math.max(
                                LEAST_AT_ONCE, Math.min(most, MOST_AT_ONCE) / keys.size() * 5 / 4);
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            sources.add(new Source(i));
        }
        read(sources, step);
        PriorityQueue<Source> heads =
                new PriorityQueue<>(Comparator.comparing(Source::head, Ranking::compare));
        sources.stream().filter(each -> !each.read.isEmpty()).forEach(heads::add);
        List<Place> places = new ArrayList<>();
        int[] shares = new int[keys.size()];
        while (places.size() < most && !heads.isEmpty()) {
            Source first = heads.remove();
            Scored scored = first.read.removeFirst();
            places.add(new Place(scored.member(), scored.score()));
            shares[first.number]++;
            if (first.read.isEmpty() && !first.ended) {
                read(List.of(first), step);
            }
            if (!first.read.isEmpty()) {
                heads.add(first);
            }
        }
        return new Top(places, shares);
    }

    private void read(List<Source> sources, int step) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<Scored>>> questions =
                sources.stream()
                        .map(
                                each ->
                                        cells.sorted(
                                                keys.get(each.number),
                                                each.next,
                                                each.next + step - 1))
                        .toList();
        for (int i = 0; i < questions.size(); i++) {
            Source source = sources.get(i);
            List<Scored> found = questions.get(i).answer().or(List.of());
            source.read.addAll(found);
            source.next += found.size();
            source.ended = found.size() < step;
        }
    }

    private static int compare(Scored one, Scored other) {
        int scores = Double.compare(one.score(), other.score());
        return scores != 0
                ? scores
                : Arrays.compareUnsigned(
                        one.member().getBytes(UTF_8), other.member().getBytes(UTF_8));
    }
}
