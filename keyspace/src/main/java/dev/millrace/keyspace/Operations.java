package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The checks or the writes of a commit in the form in which its script reads them. */
final class Operations {
    private final StringBuilder letters = new StringBuilder();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> args = new ArrayList<>();
    private int bytes;
    private @Nullable String lastSorted;

    Operations add(char letter, byte[] key, byte[]... more) {
        letters.append(letter);
        alsoKey(key);
        return alsoArgs(more);
    }

    Operations add(char letter, byte[] key, String one) {
        return add(letter, key, one.getBytes(UTF_8));
    }

    Operations add(char letter, byte[] key, String one, String two) {
        return add(letter, key, one.getBytes(UTF_8), two.getBytes(UTF_8));
    }

    /** An operation before all others. */
    Operations addFirst(char letter, byte[] key, byte[] one) {
        letters.insert(0, letter);
        keys.addFirst(key);
        args.addFirst(one);
        bytes += key.length + one.length;
        return this;
    }

    /** Adds to a sorted set. The member is sent only if it is another than the last time. */
    Operations addSorted(byte[] key, double score, String member) {
        byte[] number = Entry.score(score).getBytes(UTF_8);
        if (member.equals(lastSorted)) {
            return add('M', key, number);
        }
        lastSorted = member;
        return add('Z', key, number, member.getBytes(UTF_8));
    }

    /** A second key of the operation added last. */
    Operations alsoKey(byte[] key) {
        keys.add(key);
        bytes += key.length;
        return this;
    }

    Operations alsoArgs(byte[]... more) {
        for (byte[] arg : more) {
            args.add(arg);
            bytes += arg.length;
        }
        return this;
    }

    int count() {
        return letters.length();
    }

    int bytes() {
        return bytes;
    }

    /** The keys of these checks and those writes. */
    byte[][] keys(Operations writes) {
        byte[][] all = new byte[keys.size() + writes.keys.size()][];
        int at = 0;
        for (byte[] key : keys) {
            all[at++] = key;
        }
        for (byte[] key : writes.keys) {
            all[at++] = key;
        }
        return all;
    }

    /** The letters, the counts and the arguments of these checks and those writes. */
    byte[][] args(Operations writes) {
        byte[][] all = new byte[3 + args.size() + writes.args.size()][];
        all[0] = letters.toString().concat(writes.letters.toString()).getBytes(UTF_8);
        all[1] = Commit.number(keys.size() + writes.keys.size());
        all[2] = Commit.number(all.length - 3);
        int at = 3;
        for (byte[] arg : args) {
            all[at++] = arg;
        }
        for (byte[] arg : writes.args) {
            all[at++] = arg;
        }
        return all;
    }

    /** The key that an operation, counted over checks and writes, is about. */
    String keyText(Operations writes, int operation, String prefix) {
        String all = letters.toString() + writes.letters;
        int at = 0;
        for (int i = 0; i < operation; i++) {
            at += "kQFK".indexOf(all.charAt(i)) >= 0 ? 2 : 1;
        }
        String key = new String(keys(writes)[at], UTF_8);
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }
}
