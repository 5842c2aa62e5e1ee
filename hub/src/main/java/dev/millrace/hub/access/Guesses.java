package dev.millrace.hub.access;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Who has tried wrong tokens lately, and has to wait. Counted for each address (an IPv6 network of
 * 64 bits is one: its owner has all of it) and for each token id. After some free attempts each
 * further one doubles the delay, from a second up to a limit; ten minutes without a wrong attempt
 * and all is forgotten. A right token changes nothing, or somebody with one could go on guessing.
 *
 * <p>Bounded: a table of fixed size, in places of eight. Where a place is full, the one goes that
 * has been quiet for longest. Somebody with millions of addresses can make it forget, but has free
 * attempts with each of them anyway; and which addresses share a place depends on a random number
 * of this process, so nobody can be pushed out on purpose. Thread-safe.
 */
final class Guesses {
    static final int CAPACITY = 1 << 14;
    private static final int WAYS = 8;
    private static final int LOCKS = 64;
    private static final long FIRST_DELAY = Duration.ofSeconds(1).toNanos();
    private static final long MEMORY = Duration.ofMinutes(10).toNanos();

    private final int free;
    private final long longest;
    private final LongSupplier nanos;
    private final long seed = new SecureRandom().nextLong();
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    /** Who it is, as a number; 0 for nobody. */
    private final long[] keys = new long[CAPACITY];

    private final int[] failures = new int[CAPACITY];
    private final long[] last = new long[CAPACITY];

    Guesses(int free, Duration longest, LongSupplier nanos) {
        this.free = free;
        this.longest = longest.toNanos();
        this.nanos = nanos;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** How long an address has to wait. */
    Optional<Duration> delay(InetAddress peer) {
        return delay(key(peer));
    }

    /** How long everybody has to wait who tries wrong secrets for this token. */
    Optional<Duration> delay(String tokenId) {
        return delay(key(tokenId));
    }

    void failed(InetAddress peer) {
        failed(key(peer));
    }

    void failed(String tokenId) {
        failed(key(tokenId));
    }

    private Optional<Duration> delay(long key) {
        long now = nanos.getAsLong();
        ReentrantLock lock = lock(key);
        lock.lock();
        try {
            int at = find(key);
            if (at < 0) {
                return Optional.empty();
            }
            long left = last[at] + delayAfter(failures[at]) - now;
            return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private void failed(long key) {
        long now = nanos.getAsLong();
        ReentrantLock lock = lock(key);
        lock.lock();
        try {
            int at = find(key);
            if (at < 0) {
                at = quietest(key, now);
                keys[at] = key;
                failures[at] = 0;
            } else if (now - last[at] > MEMORY) {
                failures[at] = 0;
            }
            failures[at] = Math.min(failures[at] + 1, free + Long.SIZE);
            last[at] = now;
        } finally {
            lock.unlock();
        }
    }

    private long delayAfter(int count) {
        int beyond = count - free;
        if (beyond < 0) {
            return 0;
        }
        return beyond > 30 ? longest : Math.min(longest, FIRST_DELAY << beyond);
    }

    // ---------------------------------------------------------------- the table

    private static int place(long key) {
        return (int) (key >>> 32) & (CAPACITY / WAYS - 1);
    }

    private ReentrantLock lock(long key) {
        return locks[place(key) % LOCKS];
    }

    private int find(long key) {
        int first = place(key) * WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
    }

    private int quietest(long key, long now) {
        int first = place(key) * WAYS;
        int found = first;
        for (int i = first; i < first + WAYS; i++) {
            if (keys[i] == 0) {
                return i;
            }
            if (now - last[i] > now - last[found]) {
                found = i;
            }
        }
        return found;
    }

    /** How many are remembered. */
    int size() {
        int count = 0;
        for (long key : keys) {
            count += key == 0 ? 0 : 1;
        }
        return count;
    }

    private long key(InetAddress peer) {
        ByteBuffer bytes = ByteBuffer.wrap(peer.getAddress());
        return peer instanceof Inet4Address
                ? mixed(seed, bytes.getInt())
                : mixed(mixed(seed, 6), bytes.getLong());
    }

    private long key(String tokenId) {
        long sum = mixed(seed, 1L << 40);
        for (int i = 0; i < tokenId.length(); i++) {
            sum = mixed(sum, tokenId.charAt(i));
        }
        return sum;
    }

    /** Every bit of both changes every bit of the result (the last steps of SplitMix64). */
    private static long mixed(long one, long other) {
        long z = (one ^ other) + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return z == 0 ? 1 : z;
    }
}
