package dev.millrace.keyspace.check;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.walk.KeyWalk;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.redis.walk.Ticks;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Walks all keys and compares values and indexes both ways, online, in small steps, while others
 * write. What looks wrong is looked at again in one atomic question before it counts, and a repair
 * is a commit with "the value is what I read", so that a concurrent writer is never undone.
 *
 * <p>First every index: does each entry lead to a value that asks for it? Then every value: does it
 * have each entry it asks for? What cannot be read or has a wrong type is reported, never removed.
 *
 * <p>A check of a large database takes minutes; it can rest between its steps ({@link #pace}). For
 * one thread; run once.
 */
public final class Check {
    final Ground ground;
    boolean repair;
    Pace pace = Pace.FULL;
    Consumer<CheckProgress> listener = progress -> {};
    BooleanSupplier stop = () -> false;
    Ticks ticks = Ticks.REAL;
    int step = KeyWalk.STEP;

    public Check(Ground ground) {
        this.ground = ground;
    }

    /** Repairs what can be repaired. */
    public Check repairing() {
        repair = true;
        return this;
    }

    /** Rests between its steps; without this it does not. */
    public Check pace(Pace newPace) {
        pace = newPace;
        return this;
    }

    /** Asked between the steps; true ends it. */
    public Check stoppedBy(BooleanSupplier wanted) {
        stop = wanted;
        return this;
    }

    /** Told every two seconds how far it is. */
    public Check listener(Consumer<CheckProgress> newListener) {
        listener = newListener;
        return this;
    }

    public CheckReport run() {
        return new CheckRun(this).run();
    }

    /**
     * Which layouts claim each value: the one whose pattern it has; of kinds that share a pattern,
     * those whose index names it. That should be one.
     */
    public static Map<Found, List<Layout<?>>> claims(Ground ground, List<Found> values) {
        Map<Found, List<Layout<?>>> claims = new LinkedHashMap<>();
        List<Request> requests = new ArrayList<>();
        for (Found found : values) {
            claims.put(found, new ArrayList<>());
            for (Layout<?> layout : found.layouts()) {
                layout.mapping()
                        .kind()
                        .ifPresent(
                                kind ->
                                        requests.add(
                                                found.place()
                                                        .ask(
                                                                "ZSCORE",
                                                                kind,
                                                                layout.mapping()
                                                                        .idOf(found.key()))));
            }
        }
        requests.forEach(ground.redis()::submit);
        Iterator<Request> answers = requests.iterator();
        claims.forEach(
                (found, claiming) -> {
                    for (Layout<?> layout : found.layouts()) {
                        if (layout.mapping().kind().isEmpty()
                                || Replies.unlessOtherType(answers.next()) != null) {
                            claiming.add(layout);
                        }
                    }
                });
        return claims;
    }
}
