package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.Check.Found;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * In a cluster: every foreign id has its home pointer, every pointer leads to something, and no
 * move was cut short.
 */
final class HomeCheck {
    /** Younger claims and moves may still be on their way. */
    private static final long SETTLED_MILLIS = 60_000;

    private final Keyspace keyspace;
    private final CheckLog log;
    private final boolean repair;

    HomeCheck(Keyspace keyspace, CheckLog log, boolean repair) {
        this.keyspace = keyspace;
        this.log = log;
        this.repair = repair;
    }

    void check(List<Found> step) {
        if (keyspace.shards().cluster()) {
            Check.layoutsOf(keyspace, step).forEach((found, layout) -> hasPointer(layout, found));
            for (Found found : step) {
                if (Keyspace.HOME.matches(found.key())) {
                    leadsSomewhere(found);
                } else if (Keyspace.MOVING.matches(found.key())) {
                    isFinished(found);
                }
            }
        }
    }

    private void hasPointer(Layout<?> layout, Found found) {
        String id = layout.idOf(found.key());
        if (!Homes.needed(keyspace, layout, id, found.place())) {
            return;
        }
        Place idPlace = keyspace.shards().place(id);
        Object pointer = keyspace.redis().call(Homes.readPointer(idPlace, found.key()));
        if (pointer != null && Homes.shardIn(pointer) == found.place().shard()) {
            return;
        }
        if (!exists(found.place(), found.key())) {
            return; // deleted meanwhile
        }
        if (pointer != null
                && exists(keyspace.shards().shard(Homes.shardIn(pointer)), found.key())) {
            log.found(
                    Finding.Kind.STRAY,
                    layout.name(),
                    found.fullKey(),
                    "lives in two shards; its pointer leads to the other one",
                    false);
            return;
        }
        Commit mend = keyspace.commit(idPlace);
        String key = Homes.pointerKey(found.key());
        if (pointer == null) {
            mend.raw('a', key);
        } else {
            mend.raw('e', key, text(Replies.textOrEmpty(pointer)));
        }
        mend.raw('S', key, text(Homes.pointer(found.place(), 0)));
        report(layout.name(), found, "has no home pointer that leads to it", mend);
    }

    private void leadsSomewhere(Found found) {
        Object pointer = keyspace.redis().call(Check.ask(found.place(), "GET", found.key()));
        if (pointer == null || isYoung(pointer, found.place())) {
            return;
        }
        String valueKey = Keyspace.HOME.values(found.key()).orElseThrow().getFirst();
        if (exists(keyspace.shards().shard(Homes.shardIn(pointer)), valueKey)) {
            return;
        }
        Commit mend =
                keyspace.commit(found.place())
                        .raw('e', found.key(), text(Replies.textOrEmpty(pointer)))
                        .raw('D', found.key());
        report("", found, "leads to nothing", mend);
    }

    private void report(String layout, Found found, String detail, Commit mend) {
        boolean mended = repair && mend.run().isDone();
        log.found(Finding.Kind.HOME_POINTER, layout, found.fullKey(), detail, mended);
    }

    private void isFinished(Found found) {
        byte[] copy = (byte[]) keyspace.redis().call(Check.ask(found.place(), "GET", found.key()));
        if (copy == null || now(found.place()) - Moves.begunAt(copy) < SETTLED_MILLIS) {
            return;
        }
        boolean mended = false;
        if (repair) {
            String valueKey = Keyspace.MOVING.values(found.key()).orElseThrow().getFirst();
            for (Layout<?> layout : keyspace.catalogue().layouts()) {
                mended |=
                        layout.name().equals(Moves.layoutIn(copy))
                                && settle(layout, valueKey, found);
            }
        }
        log.found(
                Finding.Kind.UNFINISHED_MOVE,
                Moves.layoutIn(copy),
                found.fullKey(),
                "a change of owner was cut short",
                mended);
    }

    private <E> boolean settle(Layout<E> layout, String valueKey, Found found) {
        Moves<E> moves = new Moves<>(keyspace, layout);
        String id = layout.idOf(valueKey);
        boolean finished =
                moves.resume(id, found.place()).isPresent() && !exists(found.place(), found.key());
        return finished || moves.discardIfNotMoved(id, found.place());
    }

    private boolean exists(Place place, String key) {
        return Replies.isPresent(keyspace.redis().call(Check.ask(place, "EXISTS", key)));
    }

    private boolean isYoung(@Nullable Object pointer, Place place) {
        return now(place) - Homes.claimedAt(pointer) < SETTLED_MILLIS;
    }

    private long now(Place place) {
        return Homes.millis(keyspace.redis().call(Homes.time(place)));
    }
}
