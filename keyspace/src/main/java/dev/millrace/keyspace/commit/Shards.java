package dev.millrace.keyspace.commit;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Slots;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Where things live: 64 shards, for ever.
 *
 * <p>An entity lives in the shard of its owner (a device, a namespace, a token), with its value and
 * all its index entries, so that one script can change them together. On a single server all shards
 * are one place and keys have no prefix. In a cluster a shard is a hash tag before the key, {@code
 * {iv9}event:created}; the tags are chosen so that their slots lie 256 apart, and a cluster of up
 * to 64 primaries shares them evenly.
 *
 * <p>Ids carry their shard: {@code shard(id)} is a checksum of the id, and ids made here get two
 * last digits that make it the owner's shard, on a single server too, where it does not matter yet.
 * So a get by id goes straight to the right node after a later move to a cluster as well.
 */
public final class Shards {
    public static final int COUNT = 64;

    /** Tag {@code i} has slot {@code 256 * i + 127}. Never to be changed: data lies under them. */
    static final List<String> TAGS =
            List.of(
                    "iv9", "kuo", "hd8", "bnv", "iry", "cx7", "qkp", "bj6", "mz4", "gpz", "lh5",
                    "nkc", "ewl", "g02", "dem", "3lk", "pl3", "cmu", "h12", "jvl", "ajc", "ci5",
                    "hqz", "7qd", "mk6", "91", "ly7", "fsy", "efn", "yy", "dto", "fw9", "c9o",
                    "xu9", "bof", "yg8", "k47", "azq", "si6", "hah", "gqj", "e64", "fck", "1jm",
                    "ik", "e2t", "nn3", "lme", "cle", "ao3", "j3t", "y22", "rj5", "aks", "j74",
                    "hpj", "oip", "0in", "fri", "d57", "xi", "mnf", "wt9", "d1w");

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] LAST_DIGITS = lastDigits();

    private final boolean cluster;
    private final String[] prefixes = new String[COUNT];
    private final int[] slots = new int[COUNT];

    Shards(boolean cluster) {
        this.cluster = cluster;
        for (int shard = 0; shard < COUNT; shard++) {
            prefixes[shard] = cluster ? "{" + TAGS.get(shard) + "}" : "";
            slots[shard] = cluster ? Slots.of(TAGS.get(shard)) : 0;
        }
    }

    public boolean cluster() {
        return cluster;
    }

    /** The shard of an owner, or the one an id carries. */
    public static int shard(String ownerOrId) {
        return Slots.crc16(ownerOrId) & (COUNT - 1);
    }

    public Place place(String owner) {
        return at(Slots.crc16(owner));
    }

    /** Where a cell lives. */
    public Place place(Cell.Key key) {
        return key.cell().pattern().tagged() ? tagged(key.key(), key.owner()) : place(key.owner());
    }

    public Place shard(int number) {
        return at(number);
    }

    private Place at(int order) {
        int shard = order & (COUNT - 1);
        return new Place(order, slots[shard], prefixes[shard], "");
    }

    /** All places, one for each shard; on a single server that is one. */
    public List<Place> all() {
        return cluster ? IntStream.range(0, COUNT).mapToObj(this::at).toList() : List.of(at(0));
    }

    /** The shard whose prefix a key of the cluster has. */
    public Optional<Place> byPrefix(String fullKey) {
        int close = fullKey.startsWith("{") ? fullKey.indexOf('}') : -1;
        int shard = close < 0 ? -1 : TAGS.indexOf(fullKey.substring(1, close));
        return shard < 0 ? Optional.empty() : Optional.of(at(shard));
    }

    /** Where the engine's own keys lie that are written together with what lives here. */
    public Place beside(Place place) {
        return !cluster || place.tag().isEmpty()
                ? place
                : new Place(place.order(), place.slot(), "{" + place.tag() + "}", place.tag());
    }

    /** The place of keys that carry a hash tag of their own. */
    public Place tagged(String key, String tag) {
        return new Place(Slots.crc16(tag), cluster ? Slots.of(key) : 0, "", tag);
    }

    /**
     * A new id (UUID version 7, so ids made later sort later) that carries the shard of its owner.
     * Unguessable it is not: use it for names, not for secrets.
     */
    public static String mint(String owner) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = (System.currentTimeMillis() << 16) | 0x7000 | random.nextInt(0x1000);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return id(high, low, shard(owner), random.nextInt(256));
    }

    /**
     * An id that follows from these words (UUID version 8), and carries the shard of its owner like
     * one that is {@linkplain #mint minted}: whoever does a thing again finds what was done before.
     */
    public static String derive(String owner, String... words) {
        ByteBuffer hash = ByteBuffer.wrap(hash(words));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return id(high, low, shard(owner), hash.get() & 255);
    }

    private static byte[] hash(String... words) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String word : words) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                // With its length, so that no two lists of words run into one text.
                digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    private static String id(long high, long low, int shard, int first) {
        byte[] id = new byte[36];
        hex(id, 0, high >>> 32, 8);
        hex(id, 9, high >>> 16, 4);
        hex(id, 14, high, 4);
        hex(id, 19, low >>> 48, 4);
        hex(id, 24, low, 12);
        id[8] = id[13] = id[18] = id[23] = '-';
        carry(id, shard, first);
        return new String(id, StandardCharsets.US_ASCII);
    }

    /** Chooses the last two digits: among their 256 values each shard occurs. */
    private static void carry(byte[] id, int shard, int first) {
        int crc = 0;
        for (int i = 0; i < 34; i++) {
            crc = Slots.extend(crc, id[i]);
        }
        int needed = (Slots.extend(Slots.extend(crc, (byte) 0), (byte) 0) ^ shard) & (COUNT - 1);
        int digits = LAST_DIGITS[needed << 8 | first];
        id[34] = DIGITS[digits >> 4 & 15];
        id[35] = DIGITS[digits & 15];
    }

    /**
     * What two digits do to a checksum does not depend on what it was before: a checksum is a sum
     * without carry. So here stands for each part of a checksum that two digits must contribute,
     * and for each pair of digits to begin with, the next pair that does.
     */
    private static byte[] lastDigits() {
        byte[] next = new byte[COUNT << 8];
        for (int needed = 0; needed < COUNT; needed++) {
            for (int first = 0; first < 256; first++) {
                int digits = first;
                while (contribution(digits) != needed) {
                    digits = digits + 1 & 255;
                }
                next[needed << 8 | first] = (byte) digits;
            }
        }
        return next;
    }

    private static int contribution(int digits) {
        int one = Slots.extend(0, DIGITS[digits >> 4]);
        return Slots.extend(one, DIGITS[digits & 15]) & (COUNT - 1);
    }

    private static void hex(byte[] target, int at, long bits, int digits) {
        for (int i = digits - 1; i >= 0; i--) {
            target[at + i] = DIGITS[(int) bits & 15];
            bits >>>= 4;
        }
    }
}
