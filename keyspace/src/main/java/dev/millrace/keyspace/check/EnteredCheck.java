package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * From single keys to the set that their room enters them in: what somebody else has written under
 * such a key is known to nobody until it is entered there. A repair makes sure that the key is
 * still there.
 */
final class EnteredCheck {
    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;

    EnteredCheck(Ground ground, CheckLog log, boolean repair) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
    }

    private record Wanted(Found found, Cell cell, String set, String member, Request known) {}

    void check(List<Found> step) {
        List<Wanted> all = new ArrayList<>();
        for (Found found : step) {
            if (found.spots().getFirst().owner() instanceof Cell cell) {
                cell.entered().flatMap(entered -> wanted(found, cell, entered)).ifPresent(all::add);
            }
        }
        all.forEach(each -> ground.redis().submit(each.known));
        for (Wanted each : all) {
            log.entry();
            Object known = Replies.unlessOtherType(each.known);
            if (known != null && !Replies.isPresent(known)) {
                report(each);
            }
        }
    }

    private static Optional<Wanted> wanted(Found found, Cell cell, Cell.Entered entered) {
        String set = entered.set().pattern().key();
        return cell.valueIn(found.key(), entered.variable())
                .map(
                        member ->
                                new Wanted(
                                        found,
                                        cell,
                                        set,
                                        member,
                                        found.place().ask("SISMEMBER", set, member)));
    }

    private void report(Wanted wanted) {
        boolean mended = false;
        if (repair) {
            Outcome<Long> outcome =
                    ground.basket(wanted.found.place())
                            .add(Operation.EXISTS, wanted.found.key())
                            .add(Operation.ADD_MEMBER, wanted.set, text(wanted.member))
                            .run();
            mended = outcome.isStored();
        }
        log.found(
                Finding.Kind.MISSING_ENTRY,
                wanted.cell.name(),
                wanted.found.fullKey(),
                "is not known to " + wanted.set,
                mended);
    }
}
