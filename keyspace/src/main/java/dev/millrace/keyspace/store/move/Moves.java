package dev.millrace.keyspace.store.move;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Claims;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.util.List;
import java.util.Optional;

/**
 * A change of owner in a cluster: the entity moves to another shard, and no script sees both.
 *
 * <ol>
 *   <li><b>copy</b>: the new state is laid down in the new shard under {@code
 *       millrace:moving:{id}}, where no get and no index finds it. Unique fields are reserved and
 *       all index keys probed here, so that nothing can stop the move later;
 *   <li><b>switch</b>: value and entries are removed from the old shard, if they are still as they
 *       were read, and a receipt of this very move stays there, {@code millrace:moved:{id}}. From
 *       here on the move happens; before, it did not;
 *   <li><b>finish</b>: the home pointer follows, and in the new shard the copy becomes the value,
 *       with its entries; the receipt is removed.
 * </ol>
 *
 * <p>Whoever finds a copy with its receipt, a reader or the check, finishes the move. A copy
 * without receipt belongs to a move that was not made; when it is so old that its switch cannot
 * come any more (the server's clock would refuse it), it is discarded. So an entity is never in two
 * shards and never lost. Between switch and finish a page over an index may miss it for a moment.
 * {@code docs/moves.md} tells it at length.
 */
public final class Moves<E> {
    /** Keys by which moves are kept in order. */
    public static final List<Cell> KEYS =
            List.of(
                    Cell.of(KeyType.STRING, Homes.MOVING.text())
                            .bookkeeping()
                            .about("In a cluster: an entity on its way to another owner's shard."),
                    Cell.of(KeyType.STRING, Homes.MOVED.text())
                            .bookkeeping()
                            .about("In a cluster: the receipt of an entity that is on its way."),
                    MovePause.CELL);

    private final Ground ground;
    private final Layout<E> layout;
    private final Homes homes;

    public Moves(Ground ground, Layout<E> layout) {
        this.ground = ground;
        this.layout = layout;
        this.homes = new Homes(ground);
    }

    public Outcome<Long> move(Stored<E> before, E after, Raw raw, Place to) {
        String key = layout.mapping().keyOf(before.id());
        Place from = before.place();
        Place idPlace = ground.shards().place(before.id());
        String oldPointer = homes.pointer(idPlace, key).map(Pointer::text).orElse("");
        long now = now(to);
        MovingCopy copy =
                new MovingCopy(from.shard(), Pointer.to(to, now), oldPointer, layout.name(), raw);

        Outcome<Long> copied = copy(key, copy, after, to);
        if (!copied.isStored()) {
            return copied;
        }
        Basket switching =
                ground.basket(from)
                        .entities()
                        .removeWhole(layout, before)
                        .add(Operation.ABSENT, MovePause.KEY)
                        .add(Operation.SET, Homes.MOVED.key(key), text(copy.pointer().text()))
                        .notLaterThan(now + Claims.WRITE_WITHIN_MILLIS);
        if (idPlace.together(from)) {
            switching.add(Operation.SET, Homes.pointerKey(key), text(copy.pointer().text()));
        }
        Outcome<Long> switched = switching.run();
        Outcome<Long> moved =
                switch (switched) {
                    case Outcome.Done<Long> done -> finish(before.id(), copy, after, to);
                    case Outcome.Unconfirmed<Long> stored -> finish(before.id(), copy, after, to);
                    case Outcome.NotDone<Long> not -> {
                        discard(key, copy, after, to);
                        yield not.reason() == Reason.DUPLICATE ? MovePause.refusal(key) : not;
                    }
                    case Outcome.Unknown<Long> unknown -> unknown;
                };
        return moved.after(copied).after(switched);
    }

    private Outcome<Long> copy(String key, MovingCopy copy, E after, Place to) {
        String id = layout.mapping().idOf(key);
        for (int attempt = 0; attempt < 2; attempt++) {
            Outcome<Long> copied =
                    ground.basket(to)
                            .add(Operation.ABSENT, key)
                            .add(Operation.ABSENT, Homes.MOVING.key(key))
                            .entities()
                            .reserve(layout, after)
                            .add(Operation.SET, Homes.MOVING.key(key), copy.encode())
                            .run();
            if (copied instanceof Outcome.Unknown<Long>(String detail)) {
                // Nothing has moved yet; a copy that was made after all is discarded by its age.
                return Outcome.notDone(Reason.UNAVAILABLE, detail);
            }
            Optional<MovingCopy> other =
                    copied.failedBy(Reason.DUPLICATE) ? readCopy(key, to) : Optional.empty();
            if (other.isEmpty() && copied.failedBy(Reason.DUPLICATE) && exists(key, to)) {
                break; // it has moved already
            }
            if (other.isEmpty()) {
                return copied;
            }
            if (!settle(id, to, other.get())) {
                break;
            }
        }
        return Outcome.notDone(Reason.CONFLICT, key + " is being moved by others; try again.");
    }

    /** Carries a move on that was switched. Several may do so at once; each step takes one only. */
    private Outcome<Long> finish(String id, MovingCopy copy, E entity, Place to) {
        String key = layout.mapping().keyOf(id);
        Place idPlace = ground.shards().place(id);
        Place from = ground.shards().shard(copy.from());
        Outcome<Long> pointed = Outcome.done(0L);
        if (!idPlace.together(from) && !idPlace.together(to)) {
            pointed = point(idPlace, key, copy);
            if (pointed instanceof Outcome.Unknown<Long>
                    || (pointed instanceof Outcome.NotDone<Long> not && not.reason().passes())) {
                return new Outcome.Unknown<>(key + " is on its way to another owner.");
            }
        }
        Basket finish =
                ground.basket(to)
                        .entities()
                        .createWhole(layout, entity, copy.raw())
                        .add(Operation.EQUALS, Homes.MOVING.key(key), copy.encode())
                        .add(Operation.DELETE, Homes.MOVING.key(key));
        if (idPlace.together(to)) {
            finish.add(Operation.DELETE, Homes.pointerKey(key));
        }
        Outcome<Long> finished = finish.run();
        if (!finished.isStored() && readCopy(key, to).filter(copy::equals).isPresent()) {
            return new Outcome.Unknown<>(key + " is on its way to another owner.");
        }
        ground.basket(from)
                .add(Operation.EQUALS, Homes.MOVED.key(key), text(copy.pointer().text()))
                .add(Operation.DELETE, Homes.MOVED.key(key))
                .twice()
                .run();
        return Outcome.done(0L).after(pointed).after(finished);
    }

    /** The pointer follows, unless somebody has carried the move on, or the next one, already. */
    private Outcome<Long> point(Place idPlace, String key, MovingCopy copy) {
        Basket pointing = ground.basket(idPlace);
        String pointerKey = Homes.pointerKey(key);
        if (copy.oldPointer().isEmpty()) {
            pointing.add(Operation.ABSENT, pointerKey);
        } else {
            pointing.add(Operation.EQUALS, pointerKey, text(copy.oldPointer()));
        }
        return pointing.add(Operation.SET, pointerKey, text(copy.pointer().text())).run();
    }

    private Outcome<Long> discard(String key, MovingCopy copy, E entity, Place to) {
        return ground.basket(to)
                .add(Operation.EQUALS, Homes.MOVING.key(key), copy.encode())
                .add(Operation.DELETE, Homes.MOVING.key(key))
                .entities()
                .release(layout, entity)
                .twice()
                .run();
    }

    /**
     * Finishes a move that was cut short between switch and finish, if there is one to here.
     *
     * @return whether there was one
     */
    public boolean resume(String id, Place to) {
        Optional<MovingCopy> copy = readCopy(layout.mapping().keyOf(id), to);
        if (copy.isEmpty() || !copy.get().layout().equals(layout.name())) {
            return false;
        }
        if (!isSwitched(id, copy.get())) {
            return false;
        }
        E entity = layout.mapping().decode(layout.mapping().keyOf(id), copy.get().raw());
        finish(id, copy.get(), entity, to);
        return true;
    }

    /**
     * Finishes or discards what a move left behind.
     *
     * @return false if it is young and may still be on its way, or cannot be settled now
     */
    public boolean settle(String id, Place to, MovingCopy copy) {
        String key = layout.mapping().keyOf(id);
        if (!copy.layout().equals(layout.name())) {
            return false;
        }
        E entity = layout.mapping().decode(key, copy.raw());
        if (isSwitched(id, copy)) {
            return finish(id, copy, entity, to).isStored();
        }
        boolean old = now(to) - copy.pointer().since() > Claims.CLAIM_MILLIS;
        return old && discard(key, copy, entity, to).isStored();
    }

    private boolean isSwitched(String id, MovingCopy copy) {
        Place from = ground.shards().shard(copy.from());
        return receipt(layout.mapping().keyOf(id), from).filter(copy.pointer()::equals).isPresent();
    }

    /** What is left in the old shard of a move that was switched and not finished. */
    public Optional<Pointer> receipt(String key, Place from) {
        return Pointer.in(ground.redis().call(from.ask("GET", Homes.MOVED.key(key))));
    }

    private Optional<MovingCopy> readCopy(String key, Place to) {
        return MovingCopy.decode(
                ground.redis().call(to.ask("GET", Homes.MOVING.key(key))), layout.type());
    }

    private boolean exists(String key, Place place) {
        return Replies.isPresent(ground.redis().call(place.ask("EXISTS", key)));
    }

    private long now(Place place) {
        return Homes.millis(ground.redis().call(Homes.time(place)));
    }
}
