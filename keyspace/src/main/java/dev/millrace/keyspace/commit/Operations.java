package dev.millrace.keyspace.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.redis.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The checks or the writes of a commit in the form in which its script reads them. */
final class Operations {
    private final StringBuilder letters = new StringBuilder();
    private final Frame keys = new Frame();
    private final Frame args = new Frame();
    private @Nullable Entries entries;
    private int count;

    private void begin(Operation operation) {
        count++;
        letters.append(operation.letter);
    }

    Operations add(Operation operation, byte[] key, byte[]... more) {
        begin(operation);
        return alsoKey(key).alsoArgs(more);
    }

    Operations add(Operation operation, byte[] key, String one) {
        begin(operation);
        args.add(one);
        return alsoKey(key);
    }

    Operations add(Operation operation, byte[] key, String one, String two) {
        begin(operation);
        args.add(one).add(two);
        return alsoKey(key);
    }

    /** The same on a key in this place. */
    Operations add(Operation operation, Place place, String key, byte[] one) {
        begin(operation);
        keys.add(place.prefix(), key);
        args.add(one);
        return this;
    }

    /** An operation before all others. */
    Operations addFirst(Operation operation, byte[] key, byte[] one) {
        count++;
        letters.insert(0, operation.letter);
        keys.addFirst(key);
        args.addFirst(one);
        return this;
    }

    /** Adds to a sorted set. */
    Operations addSorted(Place place, String key, double score, String member) {
        if (entries == null) {
            entries = new Entries();
        }
        count++;
        char ofKey = entries.keys.refer(key);
        if (ofKey == Entries.NEW) {
            keys.add(place.prefix(), key);
        }
        char ofScore = entries.scores.refer(score);
        if (ofScore == Entries.NEW) {
            addScore(score);
        }
        char ofMember = entries.members.refer(member);
        if (ofMember == Entries.NEW) {
            args.add(member);
        }
        letters.append(Operation.ADD_SORTED.letter).append(ofKey).append(ofScore).append(ofMember);
        return this;
    }

    private void addScore(double score) {
        long whole = (long) score;
        if (whole == score) {
            args.add(whole);
        } else {
            args.add(Entry.score(score));
        }
    }

    /** A second key of the operation added last. */
    Operations alsoKey(byte[] key) {
        keys.add(key);
        return this;
    }

    Operations alsoArgs(byte[]... more) {
        for (byte[] arg : more) {
            args.add(arg);
        }
        return this;
    }

    int count() {
        return count;
    }

    int bytes() {
        return keys.content() + args.content();
    }

    /** The keys of these checks and those writes. */
    Frame keys(Operations writes) {
        return keys.and(writes.keys);
    }

    /** The letters, the counts and the arguments of these checks and those writes. */
    Frame args(Operations writes) {
        return new Frame()
                .add(letters.toString().concat(writes.letters.toString()))
                .add((long) keys.words() + writes.keys.words())
                .add((long) args.words() + writes.args.words())
                .and(args, writes.args);
    }

    /**
     * The key that an operation is about.
     *
     * @param place of the operation in the word of both, from 0
     */
    String keyText(Operations writes, int place, String prefix) {
        String word = letters.toString() + writes.letters;
        List<Integer> sorted = new ArrayList<>();
        int last = 0;
        int next = 0;
        int at = 0;
        for (int i = 0; i <= place && i < word.length(); i++) {
            Operation operation = Operation.of(word.charAt(i));
            at = next;
            if (operation != Operation.ADD_SORTED) {
                next += operation.keys;
                continue;
            }
            int number = Entries.keyOf(word.charAt(i + 1), last, sorted.size());
            if (number == sorted.size()) {
                sorted.add(next++);
            }
            last = number;
            at = sorted.get(number);
            i += 3;
        }
        String key = new String(keys(writes).split()[at], UTF_8);
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }
}
