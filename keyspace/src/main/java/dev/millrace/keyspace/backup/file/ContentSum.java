package dev.millrace.keyspace.backup.file;

import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The checksum of logical content: a sum over all elements (a member of a set, a field of a hash,
 * an element of a list with its place, a whole string), each hashed together with its key, its type
 * and the time at which the key expires.
 *
 * <p>Some keys exist once in every shard of a cluster and once on a single server, and are
 * <i>split</i>. Their lists have no common order, so places are left out; and their numbers are
 * added up when they come together, so a number counts as often as it is large: three in one shard
 * and four in another weigh as much as seven.
 *
 * <p>For one thread.
 */
public final class ContentSum {
    /** Up to here a double holds every whole number. */
    private static final double EXACT = 1L << 53;

    private final MessageDigest digest;
    private final ByteBuffer eight = ByteBuffer.allocate(Long.BYTES);

    public ContentSum() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What this part adds. */
    public Checksum of(Part part, boolean split) {
        List<Checksum> terms = new ArrayList<>();
        switch (part.body()) {
            case Body.Text(byte[] bytes) -> terms.add(begin('t', part).text(bytes).end());
            case Body.Items(long from, List<byte[]> items) -> {
                long place = from;
                for (byte[] item : items) {
                    ContentSum hash = begin('l', part).text(item);
                    terms.add(split ? hash.end() : hash.number(place++).end());
                }
            }
            case Body.Members(List<byte[]> members) ->
                    members.forEach(each -> terms.add(begin('s', part).text(each).end()));
            case Body.Fields(List<byte[]> flat) -> {
                for (int i = 0; i + 1 < flat.size(); i += 2) {
                    ContentSum hash = begin('h', part).text(flat.get(i));
                    byte[] value = flat.get(i + 1);
                    terms.add(
                            split && isWhole(value)
                                    ? hash.end().times(whole(value))
                                    : hash.text(value).end());
                }
            }
            case Body.Scores(List<Body.Scored> members) -> {
                for (Body.Scored each : members) {
                    ContentSum hash = begin('z', part).text(each.member());
                    terms.add(
                            split && isWhole(each.score())
                                    ? hash.end().times((long) each.score())
                                    : hash.number(Double.doubleToLongBits(each.score())).end());
                }
            }
            case Body.Entries(List<Body.StreamEntry> entries) -> {
                for (Body.StreamEntry entry : entries) {
                    ContentSum hash = begin('x', part).id(entry.id());
                    entry.flat().forEach(hash::text);
                    terms.add(hash.end());
                }
            }
            case Body.StreamState state -> terms.add(state(part, state));
        }
        return terms.stream().reduce(Checksum.ZERO, Checksum::plus);
    }

    /** Without what is pending: an entry that was deleted meanwhile cannot be pending again. */
    private Checksum state(Part part, Body.StreamState state) {
        Checksum sum =
                begin('X', part)
                        .id(state.last())
                        .id(state.maxDeleted())
                        .number(state.entriesAdded())
                        .end();
        for (Body.StreamGroup group : state.groups()) {
            ContentSum hash =
                    begin('g', part)
                            .text(group.name())
                            .id(group.last())
                            .number(group.entriesRead());
            group.consumers().stream().sorted(Arrays::compareUnsigned).forEach(hash::text);
            sum = sum.plus(hash.end());
        }
        return sum;
    }

    /** Whether two such values of a split key become their sum. */
    public static boolean isWhole(byte[] value) {
        if (value.length == 0 || value.length > 18) {
            return false;
        }
        String text = new String(value, StandardCharsets.ISO_8859_1);
        return text.equals("0") || text.matches("-?[1-9][0-9]*");
    }

    public static boolean isWhole(double score) {
        return Math.abs(score) < EXACT && score == (long) score;
    }

    private static long whole(byte[] value) {
        return Long.parseLong(new String(value, StandardCharsets.ISO_8859_1));
    }

    private ContentSum begin(char type, Part part) {
        digest.update((byte) type);
        return number(part.expireAt()).text(part.key());
    }

    private ContentSum text(byte[] bytes) {
        number(bytes.length);
        digest.update(bytes);
        return this;
    }

    private ContentSum id(Body.StreamId id) {
        return number(id.millis()).number(id.sequence());
    }

    private ContentSum number(long number) {
        digest.update(eight.putLong(0, number).array());
        return this;
    }

    private Checksum end() {
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new Checksum(hash.getLong(), hash.getLong());
    }
}
