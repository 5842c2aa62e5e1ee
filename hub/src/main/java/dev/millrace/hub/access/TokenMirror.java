package dev.millrace.hub.access;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All tokens of the site, in memory: a request is decided without a round trip, and however many
 * wrong tokens come, they cost Redis nothing.
 *
 * <p>Every commit that makes or revokes a token leaves another generation mark. {@link #refresh}
 * asks for the mark, one small read, and reads the tokens anew if it differs; somebody calls it
 * every half second ({@link Access}). Every ten seconds they are read whatever the mark says, so
 * that a token deleted by hand or by a restored backup is noticed too. What this hub changes itself
 * is changed here before the caller hears that it is done, and a read that was under way at that
 * moment is thrown away: it may be older.
 *
 * <p>While Redis cannot be reached, the tokens that are known here stay good for a minute, so that
 * metrics and diagnosis go on when they are needed most. That lets nobody at the data: to revoke a
 * token takes Redis, and so does to reach anything that it guards. After that minute nothing is
 * known any more, and the answer is "unavailable", not "wrong". Thread-safe; I/O happens outside
 * the lock.
 */
final class TokenMirror {
    static final String ABOUT = "tokens";

    /** How long tokens stay good while Redis cannot be reached. */
    static final Duration OUTAGE = Duration.ofSeconds(60);

    private static final long RELOAD_NANOS = Duration.ofSeconds(10).toNanos();

    private final Supplier<Optional<String>> mark;
    private final Supplier<List<StoredToken>> all;
    private final LongSupplier nanos;
    private final AtomicReference<@Nullable Look> looking = new AtomicReference<>();
    private final ReentrantLock changing = new ReentrantLock();
    private volatile @Nullable Picture picture;

    /** How often this hub changed something; guarded by the lock. */
    private long ownChanges;

    /**
     * What we know.
     *
     * @param asOf when the look began that confirmed it
     * @param readAt when the look began that read the tokens
     */
    private record Picture(Map<String, KnownToken> tokens, String mark, long asOf, long readAt) {}

    /** A look at Redis that is under way. */
    private record Look(long began, CompletableFuture<Boolean> done) {}

    TokenMirror(
            Supplier<Optional<String>> mark, Supplier<List<StoredToken>> all, LongSupplier nanos) {
        this.mark = mark;
        this.all = all;
        this.nanos = nanos;
    }

    Verdict verify(String text, long now) {
        Optional<TokenText> parsed = TokenText.parse(text);
        if (parsed.isEmpty()) {
            return new Verdict.Malformed();
        }
        Picture seen = picture;
        if (seen == null || nanos.getAsLong() - seen.asOf > OUTAGE.toNanos()) {
            return new Verdict.Unavailable();
        }
        KnownToken token = seen.tokens.get(parsed.get().id());
        return token == null
                ? new Verdict.Absent(parsed.get().id())
                : token.verify(parsed.get(), now);
    }

    Collection<KnownToken> known() {
        Picture seen = picture;
        return seen == null ? List.of() : seen.tokens.values();
    }

    // ---------------------------------------------------------------- looking

    /** Returns after a look that began after this call; callers at the same time share one. */
    void refresh() {
        long asked = nanos.getAsLong();
        while (true) {
            Look running = looking.get();
            if (running == null) {
                Look mine = new Look(nanos.getAsLong(), new CompletableFuture<>());
                if (looking.compareAndSet(null, mine)) {
                    look(mine);
                    return;
                }
            } else if (running.began - asked >= 0) {
                join(running);
                return;
            } else {
                running.done.exceptionally(failed -> false).join();
            }
        }
    }

    private void look(Look mine) {
        try {
            read(mine.began);
            looking.set(null); // before anybody is woken, who would find it still there
            mine.done.complete(true);
        } catch (RuntimeException e) {
            looking.set(null);
            mine.done.completeExceptionally(e);
            throw e;
        }
    }

    private static void join(Look other) {
        try {
            other.done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void read(long began) {
        boolean kept = false;
        while (!kept) {
            long before = ownChanges();
            // The mark first: a change after it shows at the next look.
            String now = mark.get().orElse("");
            Picture old = picture;
            Picture fresh =
                    old != null && old.mark.equals(now) && began - old.readAt < RELOAD_NANOS
                            ? new Picture(old.tokens, now, began, old.readAt)
                            : new Picture(picked(all.get(), old), now, began, began);
            kept = keep(fresh, before);
        }
    }

    private static Map<String, KnownToken> picked(List<StoredToken> tokens, @Nullable Picture old) {
        Map<String, KnownToken> known = HashMap.newHashMap(tokens.size());
        for (StoredToken token : tokens) {
            KnownToken before = old == null ? null : old.tokens.get(token.id());
            known.put(token.id(), new KnownToken(token, before == null ? 0 : before.used()));
        }
        return known;
    }

    private long ownChanges() {
        changing.lock();
        try {
            return ownChanges;
        } finally {
            changing.unlock();
        }
    }

    private boolean keep(Picture fresh, long before) {
        changing.lock();
        try {
            if (ownChanges != before) {
                return false;
            }
            picture = fresh;
            return true;
        } finally {
            changing.unlock();
        }
    }

    // ---------------------------------------------------------------- own changes

    void add(StoredToken token) {
        change(tokens -> tokens.put(token.id(), new KnownToken(token, 0)));
    }

    void remove(String id) {
        change(tokens -> tokens.remove(id));
    }

    /**
     * The mark stays as it was: somebody else may have changed something before us, and only the
     * next look tells.
     */
    private void change(Consumer<Map<String, KnownToken>> what) {
        changing.lock();
        try {
            ownChanges++;
            Picture old = picture;
            if (old != null) {
                Map<String, KnownToken> tokens = new HashMap<>(old.tokens);
                what.accept(tokens);
                picture = new Picture(tokens, old.mark, old.asOf, old.readAt);
            }
        } finally {
            changing.unlock();
        }
    }
}
