package dev.millrace.keyspace.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.redis.Frame;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;

/** The checks or the writes of a commit in the form in which its script reads them. */
final class Operations {
    private final StringBuilder letters = new StringBuilder();
    private final Frame keys = new Frame();
    private final Frame args = new Frame();
    private @Nullable String lastSorted;

    Operations add(Operation operation, byte[] key, byte[]... more) {
        letters.append(operation.letter);
        return alsoKey(key).alsoArgs(more);
    }

    Operations add(Operation operation, byte[] key, String one) {
        letters.append(operation.letter);
        args.add(one);
        return alsoKey(key);
    }

    Operations add(Operation operation, byte[] key, String one, String two) {
        letters.append(operation.letter);
        args.add(one).add(two);
        return alsoKey(key);
    }

    /** As many fields as there are, each with its value. */
    Operations addFields(byte[] key, Map<String, String> fields) {
        letters.append(Operation.SET_FIELDS.letter);
        args.add(fields.size());
        fields.forEach((field, value) -> args.add(field).add(value));
        return alsoKey(key);
    }

    /** As many fields as there are. */
    Operations addFields(byte[] key, Collection<String> fields) {
        letters.append(Operation.REMOVE_FIELDS.letter);
        args.add(fields.size());
        fields.forEach(args::add);
        return alsoKey(key);
    }

    /** The same on a key in this place. */
    Operations add(Operation operation, Place place, String key, byte[] one) {
        letters.append(operation.letter);
        keys.add(place.prefix(), key);
        args.add(one);
        return this;
    }

    /** An operation before all others. */
    Operations addFirst(Operation operation, byte[] key, byte[] one) {
        letters.insert(0, operation.letter);
        keys.addFirst(key);
        args.addFirst(one);
        return this;
    }

    /** Adds to a sorted set. The member is sent only if it is another than the last time. */
    Operations addSorted(Place place, String key, double score, String member) {
        keys.add(place.prefix(), key);
        return addScored(score, member);
    }

    Operations addSorted(byte[] key, double score, String member) {
        keys.add(key);
        return addScored(score, member);
    }

    private Operations addScored(double score, String member) {
        long whole = (long) score;
        if (whole == score) {
            args.add(whole);
        } else {
            args.add(Entry.score(score));
        }
        if (member.equals(lastSorted)) {
            letters.append(Operation.ADD_SORTED_AGAIN.letter);
        } else {
            letters.append(Operation.ADD_SORTED.letter);
            args.add(member);
            lastSorted = member;
        }
        return this;
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
        return letters.length();
    }

    /** Keys and arguments. */
    int words() {
        return keys.words() + args.words();
    }

    int bytes() {
        return keys.content() + args.content();
    }

    /** The keys of these checks and those writes. */
    Frame keys(Operations writes) {
        return keys.and(writes.keys);
    }

    /** The letters of these checks and those writes. */
    String word(Operations writes) {
        return letters.toString().concat(writes.letters.toString());
    }

    /** The letters, the counts and the arguments of these checks and those writes. */
    Frame args(Operations writes) {
        return new Frame()
                .add(word(writes))
                .add((long) keys.words() + writes.keys.words())
                .add((long) args.words() + writes.args.words())
                .and(args, writes.args);
    }

    /** The key that an operation, counted over checks and writes, is about. */
    String keyText(Operations writes, int operation, String prefix) {
        String all = word(writes);
        int at = 0;
        for (int i = 0; i < operation; i++) {
            at += Operation.of(all.charAt(i)).keys;
        }
        String key = new String(keys(writes).split()[at], UTF_8);
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }
}
