package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Index;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a commit does with cells: each is used as what it was declared, lives where the commit is
 * carried out, and is nobody else's key. For one thread, as its commit is.
 */
final class CellWrites {
    /**
     * What may be added at once: not even {@link Commit#MAX_WRITES} of it leave the range of
     * numbers.
     */
    private static final long MAX_INCREMENT = 1_000_000_000_000_000L;

    private final Ground ground;
    private final Basket basket;

    /** What was set here, to something that may not be a number. */
    private final List<Assigned> assigned = new ArrayList<>(0);

    /** Fields of a hash, or with an empty name the whole of a string. */
    private record Assigned(String key, Collection<String> fields) {}

    CellWrites(Ground ground, Basket basket) {
        this.ground = ground;
        this.basket = basket;
    }

    /** The key as it lies in Redis, to be looked at. */
    byte[] checked(Cell.Key key, KeyType type) {
        mustBe(type, key);
        return basket.place().key(key.key());
    }

    /** The key as it lies in Redis, to be written. */
    byte[] written(Cell.Key key, KeyType type) {
        mustBe(type, key);
        basket.refuse(ground.catalogue().refusal(key.cell(), key.cell().pattern(), key.key()));
        return basket.place().key(key.key());
    }

    /** Two writes of different types to one key would pass the probe while it is absent. */
    private void mustBe(KeyType type, Cell.Key key) {
        ground.catalogue().mustContain(key.cell());
        if (key.cell().type() != type) {
            throw new IllegalArgumentException(
                    "%s is declared as %s and cannot be used as %s"
                            .formatted(key.key(), key.cell().type(), type));
        }
        basket.mustBeHere(ground.shards().place(key), key.key());
    }

    void set(Cell.Key key, byte[] value) {
        assigned.add(new Assigned(key.key(), List.of("")));
        byte[] full = written(key, KeyType.STRING);
        Optional<Duration> ttl = key.cell().timeToLive();
        if (ttl.isPresent()) {
            basket.add(Operation.SET_FOR, full, value, number(ttl.get().toMillis()));
        } else {
            basket.add(Operation.SET, full, value);
        }
    }

    void setFields(Cell.Key key, Map<String, String> fields) {
        assigned.add(new Assigned(key.key(), fields.keySet()));
        basket.setFields(written(key, KeyType.HASH), fields);
    }

    void addSorted(Cell.Key key, double score, String member) {
        if (Double.isFinite(score)) {
            basket.addSorted(written(key, KeyType.SORTED_SET), score, member);
        } else {
            basket.refuse(
                    Optional.of(
                            "A score of %s must be a finite number, not %s."
                                    .formatted(key.key(), score)));
        }
    }

    void increment(Cell.Key key, long by) {
        mustBeCountable(key, "", by);
        basket.add(Operation.INCREMENT, written(key, KeyType.STRING), number(by));
    }

    void incrementField(Cell.Key key, String field, long by) {
        mustBeCountable(key, field, by);
        basket.add(Operation.INCREMENT_FIELD, written(key, KeyType.HASH), text(field), number(by));
    }

    void raiseField(Cell.Key key, String field, long number) {
        mustNotBeSet(key, field, "raised");
        basket.add(Operation.RAISE_FIELD, written(key, KeyType.HASH), text(field), number(number));
    }

    private void mustBeCountable(Cell.Key key, String field, long by) {
        if (by > MAX_INCREMENT || by < -MAX_INCREMENT) {
            throw new IllegalArgumentException("Adding " + by + " goes too far for a counter.");
        }
        mustNotBeSet(key, field, "incremented");
    }

    /** A number is looked at before anything is written, so it must not change in between. */
    private void mustNotBeSet(Cell.Key key, String field, String what) {
        if (assigned.stream()
                .anyMatch(each -> each.key.equals(key.key()) && each.fields.contains(field))) {
            throw new IllegalArgumentException(
                    key.key() + " cannot be set and " + what + " in one commit.");
        }
    }

    void sizeField(Cell.Key key, String field, Cell.Key counted) {
        String command = sizeOf(counted.cell().type(), counted.key());
        byte[] of = checked(counted, counted.cell().type());
        basket.sizeField(written(key, KeyType.HASH), field, of, command);
    }

    void sizeField(Cell.Key key, String field, Layout<?> layout, String index, String[] values) {
        ground.catalogue().mustContain(layout);
        Index<?> counted = layout.mapping().index(index);
        String name = counted.pattern.key(values);
        byte[] of = basket.place().key(name);
        basket.sizeField(written(key, KeyType.HASH), field, of, sizeOf(counted.type, name));
    }

    private static String sizeOf(KeyType type, String key) {
        return switch (type) {
            case SET -> "SCARD";
            case SORTED_SET -> "ZCARD";
            case HASH -> "HLEN";
            case LIST -> "LLEN";
            case STRING, STREAM ->
                    throw new IllegalArgumentException(
                            key + " does not hold things that can be counted.");
        };
    }

    void expire(Cell.Key key, Duration after) {
        basket.add(Operation.EXPIRE, written(key, key.cell().type()), number(after.toMillis()));
    }

    void push(Operation operation, Cell.Key key, byte[] value, int most) {
        basket.add(operation, list(key, most), value, number(most));
    }

    void log(
            Operation operation,
            Cell.Key key,
            Cell.Key counter,
            String first,
            String last,
            int most) {
        mustNotBeSet(counter, "", "counted up");
        logTo(operation, key, written(counter, KeyType.STRING), first, last, most);
    }

    void logTo(
            Operation operation,
            Cell.Key key,
            byte[] counter,
            String first,
            String last,
            int most) {
        basket.addPair(operation, list(key, most), counter, text(first), text(last), number(most));
    }

    void keepBefore(
            Cell.Key list,
            Layout<?> layout,
            String id,
            String first,
            String last,
            int most,
            long bytes) {
        ground.catalogue().mustContain(layout);
        basket.addPair(
                Operation.KEEP_BEFORE,
                list(list, most),
                basket.place().key(layout.mapping().keyOf(id)),
                text(first),
                text(last),
                number(most),
                number(bytes));
    }

    private byte[] list(Cell.Key key, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("A list keeps at least 1, not " + most);
        }
        return written(key, KeyType.LIST);
    }
}
