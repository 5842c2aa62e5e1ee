package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.move.Moves;
import dev.millrace.keyspace.store.move.MovingCopy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * In a cluster: every foreign id has its home pointer, every pointer leads to something, and no
 * move was cut short.
 */
final class HomeCheck {
    /** Younger claims and moves may still be on their way. */
    private static final long SETTLED_MILLIS = 60_000;

    /** What looks wrong waits, to be looked at again; of more than that the older half is. */
    private static final int SUSPECTS = 512;

    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;
    private final Homes homes;
    private final List<Suspect> suspects = new ArrayList<>();

    private record Suspect(Found found, Pointer pointer) {}

    HomeCheck(Ground ground, CheckLog log, boolean repair) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
        this.homes = new Homes(ground);
    }

    void check(List<Found> step) {
        if (ground.shards().cluster()) {
            for (Found found : step) {
                if (Homes.POINTERS.pattern().matches(found.key())) {
                    leadsSomewhere(found);
                } else if (Homes.MOVING.matches(found.key())) {
                    isFinished(found);
                } else if (Homes.MOVED.matches(found.key())) {
                    isNeeded(found);
                }
            }
        }
    }

    /** Looks again at pointers that led to nothing: a delete clears its own a moment later. */
    void end() {
        lookAgain(suspects.size());
    }

    private void lookAgain(int count) {
        List<Suspect> first = suspects.subList(0, count);
        for (Suspect suspect : first) {
            Optional<Pointer> now = read(suspect.found);
            if (now.isPresent() && now.get().equals(suspect.pointer) && leadsNowhere(suspect)) {
                report(
                        "",
                        suspect.found,
                        "leads to nothing",
                        ground.basket(suspect.found.place())
                                .add(
                                        Operation.EQUALS,
                                        suspect.found.key(),
                                        text(suspect.pointer.text()))
                                .add(Operation.DELETE, suspect.found.key()));
            }
        }
        first.clear();
    }

    // ---------------------------------------------------------------- pointers

    /** For a value that is where its owner says. */
    void hasPointer(Layout<?> layout, Found found) {
        String id = layout.mapping().idOf(found.key());
        if (!Homes.needed(ground, layout, id, found.place())) {
            return;
        }
        Place idPlace = ground.shards().place(id);
        Optional<Pointer> pointer = homes.pointer(idPlace, found.key());
        // Twice and in this order: what is created, deleted or moved meanwhile has a new pointer.
        for (int look = 0; look < 2; look++) {
            boolean leadsHere = pointer.filter(each -> each.leadsTo(found.place())).isPresent();
            if (leadsHere
                    || !exists(found.place(), found.key())
                    || !homes.pointer(idPlace, found.key()).equals(pointer)) {
                return;
            }
        }
        boolean elsewhere =
                exists(idPlace, found.key())
                        || pointer.filter(each -> homes.isThere(each, found.key())).isPresent();
        if (elsewhere && exists(found.place(), found.key())) {
            log.found(
                    Finding.Kind.STRAY,
                    layout.name(),
                    found.fullKey(),
                    "lives in two shards; its id leads to the other one",
                    false);
        } else if (!elsewhere) {
            String key = Homes.pointerKey(found.key());
            Basket mend = ground.basket(idPlace).add(Operation.ABSENT, found.key());
            if (pointer.isEmpty()) {
                mend.add(Operation.ABSENT, key);
            } else {
                mend.add(Operation.EQUALS, key, text(pointer.get().text()));
            }
            mend.add(Operation.SET, key, text(Pointer.to(found.place(), 0).text()));
            report(layout.name(), found, "has no home pointer that leads to it", mend);
        }
    }

    private void leadsSomewhere(Found found) {
        Optional<Pointer> pointer = read(found);
        if (pointer.isPresent() && now(found.place()) - pointer.get().since() > SETTLED_MILLIS) {
            Suspect suspect = new Suspect(found, pointer.get());
            if (leadsNowhere(suspect)) {
                suspects.add(suspect);
            }
            if (suspects.size() > SUSPECTS) {
                lookAgain(SUSPECTS / 2);
            }
        }
    }

    private boolean leadsNowhere(Suspect suspect) {
        return !homes.isThere(suspect.pointer, valueKey(suspect.found));
    }

    private void report(String layout, Found found, String detail, Basket mend) {
        boolean mended = false;
        if (repair) {
            Outcome<Long> outcome = mend.run();
            if (outcome.failedBy(Reason.CONFLICT)
                    || outcome.failedBy(Reason.ABSENT)
                    || outcome.failedBy(Reason.DUPLICATE)) {
                return; // changed meanwhile
            }
            mended = outcome.isStored();
        }
        log.found(Finding.Kind.HOME_POINTER, layout, found.fullKey(), detail, mended);
    }

    // ---------------------------------------------------------------- moves

    private void isFinished(Found found) {
        Object reply = ground.redis().call(found.place().ask("GET", found.key()));
        Optional<MovingCopy> copy = MovingCopy.decode(reply, KeyType.STRING);
        if (reply == null || (copy.isPresent() && isYoung(found, copy.get().pointer()))) {
            return;
        }
        String name = copy.map(MovingCopy::layout).orElse("");
        boolean mended = false;
        if (repair && copy.isPresent()) {
            for (Layout<?> layout : ground.catalogue().layouts()) {
                if (layout.name().equals(name) && layout.pattern().matches(valueKey(found))) {
                    mended |= settle(layout, found, reply);
                }
            }
        }
        log.found(
                Finding.Kind.UNFINISHED_MOVE,
                name,
                found.fullKey(),
                copy.isPresent() ? "a change of owner was cut short" : "cannot be read",
                mended);
    }

    private <E> boolean settle(Layout<E> layout, Found found, @Nullable Object reply) {
        try {
            String id = layout.mapping().idOf(valueKey(found));
            return MovingCopy.decode(reply, layout.type())
                    .filter(copy -> new Moves<>(ground, layout).settle(id, found.place(), copy))
                    .isPresent();
        } catch (UndecodableException e) {
            return false; // reported, never removed
        }
    }

    /** A receipt is needed until the copy has become the value. */
    private void isNeeded(Found found) {
        Optional<Pointer> receipt = read(found);
        if (receipt.isEmpty() || receipt.get().shard() < 0 || isYoung(found, receipt.get())) {
            return;
        }
        Place to = ground.shards().shard(receipt.get().shard());
        if (exists(to, Homes.MOVING.key(valueKey(found)))) {
            return; // the copy is reported
        }
        boolean mended =
                repair
                        && ground.basket(found.place())
                                .add(Operation.EQUALS, found.key(), text(receipt.get().text()))
                                .add(Operation.DELETE, found.key())
                                .run()
                                .isStored();
        log.found(
                Finding.Kind.UNFINISHED_MOVE,
                "",
                found.fullKey(),
                "the receipt of a finished change of owner is left",
                mended);
    }

    // ---------------------------------------------------------------- helpers

    /** The key that a pointer, a copy or a receipt is about. */
    private static String valueKey(Found found) {
        String key = found.key();
        return key.substring(key.indexOf(':', Catalogue.OWN.length()) + 1);
    }

    private Optional<Pointer> read(Found found) {
        return Pointer.in(ground.redis().call(found.place().ask("GET", found.key())));
    }

    private boolean exists(Place place, String key) {
        return Replies.isPresent(ground.redis().call(place.ask("EXISTS", key)));
    }

    private boolean isYoung(Found found, Pointer pointer) {
        return now(found.place()) - pointer.since() < SETTLED_MILLIS;
    }

    private long now(Place place) {
        return Homes.millis(ground.redis().call(Homes.time(place)));
    }
}
