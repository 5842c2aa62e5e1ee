package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads cells, many in one trip:
 *
 * {@snippet :
 * Cells cells = keyspace.cells();
 * List<Cells.Question<Map<String, String>>> values = channels.stream().map(cells::hash).toList();
 * Cells.Question<Set<String>> active = cells.members(ACTIVE.at(), 1000);
 * active.answer(); // all of them have left together; those that came are here
 * }
 *
 * <p>Nothing is sent before the first answer is asked for; then everything leaves, to each server
 * what it has. A key of another type than declared is the answer to its own question and to no
 * other. What is read was there at one moment for each key, not for all of them. For one thread; it
 * may be used again after an answer.
 */
public final class Cells {
    /** So many wait for their answers at once: a lane's queue is for others too. */
    private static final int MOST_AT_ONCE = 512;

    private final Ground ground;
    private final List<Question<?>> unsent = new ArrayList<>();

    public Cells(Ground ground) {
        this.ground = ground;
    }

    /** A member of a sorted set. */
    public record Scored(String member, double score) {}

    /** Something asked; {@link #answer} waits for what it holds. */
    public final class Question<T> {
        private final Request request;

        /** Gives null for an answer in which there is nothing. */
        private final Function<Object, @Nullable T> decoder;

        private @Nullable Held<T> held;

        private Question(Request request, Function<Object, @Nullable T> decoder) {
            this.request = request;
            this.decoder = decoder;
        }

        /**
         * What the key holds.
         *
         * @throws RedisException if Redis does not answer
         */
        public Held<T> answer() {
            sendAll();
            return settle();
        }

        private Held<T> settle() {
            Held<T> known = held;
            if (known == null) {
                known = read();
                held = known;
            }
            return known;
        }

        private Held<T> read() {
            try {
                Object reply = request.await();
                T value = reply == null ? null : decoder.apply(reply);
                return value == null ? new Held.Nothing<>() : new Held.Value<>(value);
            } catch (NumberFormatException e) {
                return new Held.SomethingElse<>();
            } catch (RedisException e) {
                if (e.reason() == Reason.WRONG_TYPE) {
                    return new Held.SomethingElse<>();
                }
                throw e;
            }
        }
    }

    // ---------------------------------------------------------------- questions

    /** All fields of a hash. */
    public Question<Map<String, String>> hash(Cell.Key key) {
        return ask(KeyType.HASH, key, "HGETALL", Cells::fieldsOf);
    }

    /** Those of these fields that the hash has. */
    public Question<Map<String, String>> fields(Cell.Key key, Collection<String> fields) {
        List<String> names = List.copyOf(fields);
        if (names.isEmpty()) {
            return ask(KeyType.HASH, key, "HLEN", reply -> null);
        }
        return ask(
                KeyType.HASH,
                key,
                "HMGET",
                reply -> someOf(names, Replies.list(reply)),
                names.toArray(String[]::new));
    }

    /** The members of a set; if there are more than so many, some of them. */
    public Question<Set<String>> members(Cell.Key key, int most) {
        return ask(KeyType.SET, key, "SRANDMEMBER", Cells::membersOf, "" + most);
    }

    /** Members of a sorted set by rank, as ZRANGE counts: -1 is the last one. */
    public Question<List<Scored>> sorted(Cell.Key key, long first, long last) {
        return ask(
                KeyType.SORTED_SET,
                key,
                "ZRANGE",
                Cells::scoredOf,
                "" + first,
                "" + last,
                "WITHSCORES");
    }

    /** The first members of a sorted set with a score from here to there, both included. */
    public Question<List<Scored>> sortedBetween(
            Cell.Key key, double lowest, double highest, int most) {
        return ask(
                KeyType.SORTED_SET,
                key,
                "ZRANGE",
                Cells::scoredOf,
                Entry.score(lowest),
                Entry.score(highest),
                "BYSCORE",
                "LIMIT",
                "0",
                "" + most,
                "WITHSCORES");
    }

    /** The same without the scores. */
    public Question<List<String>> membersBetween(
            Cell.Key key, double lowest, double highest, int most) {
        return ask(
                KeyType.SORTED_SET,
                key,
                "ZRANGE",
                Cells::elementsOf,
                Entry.score(lowest),
                Entry.score(highest),
                "BYSCORE",
                "LIMIT",
                "0",
                "" + most);
    }

    /** Elements of a list by position, as LRANGE counts: -1 is the last one. */
    public Question<List<String>> list(Cell.Key key, long first, long last) {
        return ask(KeyType.LIST, key, "LRANGE", Cells::elementsOf, "" + first, "" + last);
    }

    /** The same as they are, where others may push what is no text. */
    public Question<List<byte[]>> elements(Cell.Key key, long first, long last) {
        return ask(KeyType.LIST, key, "LRANGE", Cells::bytesOf, "" + first, "" + last);
    }

    public Question<String> string(Cell.Key key) {
        return ask(KeyType.STRING, key, "GET", Replies::textOrEmpty);
    }

    /** A string that is a whole number. */
    public Question<Long> number(Cell.Key key) {
        return ask(KeyType.STRING, key, "GET", reply -> Long.valueOf(Replies.textOrEmpty(reply)));
    }

    /** How many fields, members or elements the key holds; nothing if it is not there. */
    public Question<Long> size(Cell.Key key) {
        KeyType type = key.cell().type();
        String command =
                switch (type) {
                    case HASH -> "HLEN";
                    case SET -> "SCARD";
                    case SORTED_SET -> "ZCARD";
                    case LIST -> "LLEN";
                    case STREAM -> "XLEN";
                    case STRING -> "STRLEN";
                };
        return ask(
                type,
                key,
                command,
                reply -> {
                    long size = Replies.number(reply);
                    return size == 0 ? null : size;
                });
    }

    private <T> Question<T> ask(
            KeyType type,
            Cell.Key key,
            String command,
            Function<Object, @Nullable T> decoder,
            String... more) {
        ground.catalogue().mustContain(key.cell());
        if (key.cell().type() != type) {
            throw new IllegalArgumentException(
                    "%s is declared as %s and cannot be read as %s"
                            .formatted(key.key(), key.cell().type(), type));
        }
        Place place = ground.shards().place(key);
        Frame words = new Frame().add(command).add(place.key(key.key()));
        for (String word : more) {
            words.add(word);
        }
        Question<T> question =
                new Question<>(Request.reading(place.order(), place.slot(), words), decoder);
        unsent.add(question);
        return question;
    }

    private void sendAll() {
        for (int from = 0; from < unsent.size(); from += MOST_AT_ONCE) {
            List<Question<?>> some =
                    unsent.subList(from, Math.min(unsent.size(), from + MOST_AT_ONCE));
            some.forEach(question -> ground.redis().submit(question.request));
            if (from + MOST_AT_ONCE < unsent.size()) {
                some.forEach(Question::settle);
            }
        }
        unsent.clear();
    }

    // ---------------------------------------------------------------- answers

    private static @Nullable Map<String, String> fieldsOf(Object reply) {
        List<?> flat = Replies.list(reply);
        Map<String, String> fields = LinkedHashMap.newLinkedHashMap(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            fields.put(Replies.textOrEmpty(flat.get(i)), Replies.textOrEmpty(flat.get(i + 1)));
        }
        return fields.isEmpty() ? null : fields;
    }

    private static @Nullable Map<String, String> someOf(List<String> names, List<?> values) {
        Map<String, String> fields = LinkedHashMap.newLinkedHashMap(names.size());
        for (int i = 0; i < values.size(); i++) {
            String value = Replies.text(values.get(i));
            if (value != null) {
                fields.put(names.get(i), value);
            }
        }
        return fields.isEmpty() ? null : fields;
    }

    private static @Nullable Set<String> membersOf(Object reply) {
        List<?> all = Replies.list(reply);
        Set<String> members = LinkedHashSet.newLinkedHashSet(all.size());
        all.forEach(member -> members.add(Replies.textOrEmpty(member)));
        return members.isEmpty() ? null : members;
    }

    private static @Nullable List<Scored> scoredOf(Object reply) {
        List<?> flat = Replies.list(reply);
        List<Scored> members = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            members.add(
                    new Scored(Replies.textOrEmpty(flat.get(i)), Replies.score(flat.get(i + 1))));
        }
        return members.isEmpty() ? null : members;
    }

    private static @Nullable List<byte[]> bytesOf(Object reply) {
        List<?> all = Replies.list(reply);
        return all.isEmpty() ? null : all.stream().map(Replies::bytes).toList();
    }

    private static @Nullable List<String> elementsOf(Object reply) {
        List<?> all = Replies.list(reply);
        return all.isEmpty() ? null : all.stream().map(Replies::textOrEmpty).toList();
    }
}
