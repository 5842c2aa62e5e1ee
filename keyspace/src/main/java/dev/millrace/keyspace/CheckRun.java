package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.Check.Found;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One run of a check: a step, a rest, a step. Between two steps its position, together with what it
 * has counted and found, is whole; that is what is kept, and what the next run goes on with.
 */
final class CheckRun {
    /** Between two lines about how far it is, and between two marks. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Many indexes have few entries: some of them are walked side by side. */
    private static final int SIDE_BY_SIDE = 8;

    /** Lists are many and short: more of them, and fewer members of each at a time. */
    private static final int LISTS_SIDE_BY_SIDE = 64;

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Check check;
    private final Keyspace keyspace;
    private final Ticks ticks;
    private final CheckLog log = new CheckLog();
    private final IndexCheck indexes;
    private final ListCheck lists;
    private final HomeCheck homes;
    private final ValueCheck values;
    private final LeftoverCheck leftovers;
    private final CheckServers servers;
    private final String layouts;
    private final long runBegan;
    private @Nullable CheckMarks marks;
    private @Nullable OwnConnection connection;
    private CheckPosition at = CheckPosition.START;
    private long began = System.currentTimeMillis();
    private long total;
    private long keysSeen;
    private long doneBefore;
    private long told;
    private long kept;
    private int findingsKept;

    CheckRun(Check check) {
        this.check = check;
        this.keyspace = check.keyspace;
        this.ticks = check.ticks;
        this.indexes = new IndexCheck(keyspace, log, check.repair);
        this.lists = new ListCheck(keyspace, log, check.repair, indexes);
        this.leftovers = new LeftoverCheck(keyspace, log, check.repair);
        this.homes = new HomeCheck(keyspace, log, check.repair);
        this.values = new ValueCheck(keyspace, log, check.repair, homes);
        this.servers = CheckServers.of(keyspace.redis());
        this.layouts = Integer.toHexString(keyspace.catalogue().markdown().hashCode());
        this.runBegan = ticks.now();
        this.told = runBegan;
        this.kept = runBegan;
    }

    CheckReport run() {
        try {
            if (check.resumable && !takeUp()) {
                return log.report(CheckReport.End.BUSY);
            }
            if (total == 0) {
                total = estimate();
            }
            return walk();
        } finally {
            disconnect();
        }
    }

    private CheckReport walk() {
        while (at.pass() != CheckPosition.END) {
            if (check.stop.getAsBoolean()) {
                keep();
                leave();
                return log.report(CheckReport.End.STOPPED);
            }
            long from = ticks.now();
            at = step();
            check.afterStep.run();
            long now = ticks.now();
            if (now - told >= PERIOD_NANOS) {
                told = now;
                check.listener.progress(progress(now));
            }
            // A finding that was repaired is found no more: it is noted before anything else.
            boolean news = log.findings().size() > findingsKept;
            if ((news || now - kept >= PERIOD_NANOS) && !keep()) {
                return log.report(CheckReport.End.BUSY);
            }
            check.pace.rest(ticks, ticks.now() - from);
        }
        homes.end();
        end();
        return log.report(CheckReport.End.FINISHED);
    }

    // ---------------------------------------------------------------- one step

    private CheckPosition step() {
        if (!at.open().isEmpty()) {
            return someEntries();
        }
        if (at.serverDone()) {
            disconnect();
            CheckPosition next = at.nextServer(servers.endpoints().size());
            if (next.pass() == CheckPosition.VALUES && next.server() == 0) {
                // What is left is known now, also if much was written meanwhile.
                total = done() + CheckServers.of(keyspace.redis()).keys();
            }
            return next;
        }
        String cursor = at.cursor().isEmpty() ? "0" : at.cursor();
        KeyWalk.Step step = KeyWalk.step(connection(), cursor, check.step);
        keysSeen += step.keys().size();
        return at.pass() == CheckPosition.INDEXES ? openIndexes(step) : someValues(step);
    }

    private CheckPosition openIndexes(KeyWalk.Step step) {
        List<CheckPosition.Open> open = new ArrayList<>();
        for (Found found : wanted(step.keys(), CheckRun::isWalked)) {
            open.add(new CheckPosition.Open(found.fullKey(), "0"));
        }
        return at.scanned(step.next(), open);
    }

    private CheckPosition someEntries() {
        List<IndexCheck.Part> ofIndexes = new ArrayList<>();
        List<IndexCheck.Part> ofLists = new ArrayList<>();
        int taken = 0;
        for (CheckPosition.Open open : at.open()) {
            if (ofIndexes.size() == SIDE_BY_SIDE || ofLists.size() == LISTS_SIDE_BY_SIDE) {
                break;
            }
            taken++;
            Check.classify(keyspace, text(open.key()))
                    .ifPresent(
                            found ->
                                    (ListCheck.isList(found.spots().getFirst())
                                                    ? ofLists
                                                    : ofIndexes)
                                            .add(new IndexCheck.Part(found, open.cursor())));
        }
        List<CheckPosition.Open> left = new ArrayList<>();
        unfinished(ofIndexes, indexes.check(ofIndexes, check.step), left);
        int some = Math.max(1, check.step * SIDE_BY_SIDE / LISTS_SIDE_BY_SIDE);
        unfinished(ofLists, lists.check(ofLists, some), left);
        left.addAll(at.open().subList(taken, at.open().size()));
        return at.withOpen(left);
    }

    private static void unfinished(
            List<IndexCheck.Part> parts, List<String> next, List<CheckPosition.Open> left) {
        for (int i = 0; i < next.size(); i++) {
            if (!next.get(i).equals("0")) {
                left.add(new CheckPosition.Open(parts.get(i).found().fullKey(), next.get(i)));
            }
        }
    }

    private CheckPosition someValues(KeyWalk.Step step) {
        List<Found> found = wanted(step.keys(), spot -> !isWalked(spot));
        values.check(found);
        homes.check(found);
        leftovers.check(found);
        return at.scanned(step.next(), List.of());
    }

    private List<Found> wanted(List<?> keys, Predicate<Spot> wanted) {
        List<Found> step = new ArrayList<>(keys.size());
        for (Object each : keys) {
            byte[] full = (byte[]) each;
            Optional<Found> found = Check.classify(keyspace, full);
            if (found.isEmpty()) {
                if (at.pass() == CheckPosition.VALUES) {
                    log.unknown(new String(full, StandardCharsets.UTF_8));
                }
            } else if (found.get().spots().stream().anyMatch(wanted)) {
                step.add(found.get());
            }
        }
        return wellTyped(step);
    }

    /**
     * Reports keys of a wrong type and goes on with the others. Kinds that share a pattern may have
     * different types: theirs are looked at when it is known which kind it is.
     */
    private List<Found> wellTyped(List<Found> step) {
        List<Request> requests =
                step.stream().map(found -> Check.ask(found.place(), "TYPE", found.key())).toList();
        List<@Nullable Object> types = keyspace.redis().callAll(requests);
        List<Found> well = new ArrayList<>();
        for (int i = 0; i < step.size(); i++) {
            Found found = step.get(i);
            String type = Replies.textOrEmpty(types.get(i));
            Spot spot = found.spots().getFirst();
            boolean shared = found.layouts().stream().anyMatch(layout -> layout.kind().isPresent());
            if (type.equals("none")) {
                continue;
            }
            if (shared || type.equals(spot.type().redisName())) {
                well.add(new Found(found.place(), found.key(), found.spots(), type));
            } else {
                log.wrongType(spot.owner().name(), found.fullKey(), type, spot.type());
            }
        }
        return well;
    }

    private OwnConnection connection() {
        OwnConnection open = connection;
        if (open == null) {
            open = keyspace.redis().own(servers.endpoints().get(at.server()));
            connection = open;
        }
        return open;
    }

    private void disconnect() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    // ---------------------------------------------------------------- how far it is

    /**
     * Every key is met twice, and every entry once. How many entries there are, the indexes tell
     * that are one key; one that has a key for each device or name will have about as many.
     */
    private long estimate() {
        List<Layout<?>> layouts = keyspace.catalogue().layouts();
        List<Request> requests = new ArrayList<>();
        for (Layout<?> layout : layouts) {
            for (Spot index : singleIndexes(layout)) {
                String command =
                        switch (index.type()) {
                            case SORTED_SET -> "ZCARD";
                            case SET -> "SCARD";
                            case HASH, STRING, LIST, STREAM -> "HLEN";
                        };
                for (Place place : keyspace.shards().all()) {
                    requests.add(Check.ask(place, command, index.pattern().text()));
                }
            }
        }
        requests.forEach(keyspace.redis()::submit);
        int places = keyspace.shards().all().size();
        int next = 0;
        long entries = 0;
        for (Layout<?> layout : layouts) {
            long most = 0;
            int single = singleIndexes(layout).size();
            for (int i = 0; i < single; i++) {
                long count = 0;
                for (int place = 0; place < places; place++) {
                    count += Replies.number(Check.answer(requests.get(next++)));
                }
                entries += count;
                most = Math.max(most, count);
            }
            long all = layout.spots().stream().filter(CheckRun::isIndex).count();
            entries += most * (all - single + listsOf(layout));
        }
        return Math.max(1, 2 * servers.keys() + entries);
    }

    /** In how many lists each entity of this layout may be. */
    private long listsOf(Layout<?> layout) {
        return keyspace.catalogue().declarations().stream()
                .filter(
                        each ->
                                each instanceof Cell cell
                                        && cell.listed().filter(layout::equals).isPresent())
                .count();
    }

    private static List<Spot> singleIndexes(Layout<?> layout) {
        return layout.spots().stream()
                .filter(CheckRun::isIndex)
                .filter(spot -> spot.pattern().variables().isEmpty())
                .toList();
    }

    private static boolean isIndex(Spot spot) {
        return spot.role() == Spot.Role.INDEX;
    }

    /** Whether what is in it is looked at entry by entry, before the values. */
    private static boolean isWalked(Spot spot) {
        return isIndex(spot) || ListCheck.isList(spot);
    }

    private long done() {
        return keysSeen + log.entries();
    }

    private CheckProgress progress(long now) {
        return new CheckProgress(
                done(),
                Math.max(total, done()),
                doneBefore,
                Duration.ofNanos(now - runBegan),
                log.drift());
    }

    // ---------------------------------------------------------------- the place that is kept

    /** Goes on where an earlier run was cut short, if it can; false if another one is at work. */
    private boolean takeUp() {
        CheckMarks found = new CheckMarks(keyspace);
        try {
            if (!claim(found)) {
                return false;
            }
            marks = found;
            Optional<CheckMarks.Kept> earlier = found.load();
            if (earlier.isPresent()) {
                takeUp(found, earlier.get());
            } else {
                found.beginAnew();
            }
        } catch (RedisException e) {
            keepNoMore(e);
        }
        return true;
    }

    /** One that was killed cannot say so: what does not move for a while is dead. */
    private boolean claim(CheckMarks found) {
        String seen = found.seen();
        long until = ticks.now() + 2 * CheckMarks.ALIVE.toNanos();
        while (!found.claim()) {
            check.listener.waits();
            ticks.sleep(POLL_NANOS);
            if (!found.seen().equals(seen) || ticks.now() - until > 0) {
                return false;
            }
        }
        return true;
    }

    private void takeUp(CheckMarks found, CheckMarks.Kept earlier) {
        CheckMark mark = earlier.mark();
        Optional<String> why = whyNot(mark);
        if (why.isPresent()) {
            found.beginAnew();
            check.listener.beginsAnew(why.get());
            return;
        }
        at = mark.at();
        began = mark.began();
        total = mark.total();
        log.restore(mark.counts(), earlier.findings());
        homes.restore(mark.suspects());
        keysSeen = mark.done() - log.entries();
        doneBefore = mark.done();
        findingsKept = log.findings().size();
        check.listener.goesOn(Instant.ofEpochMilli(began), progress(runBegan).percent());
    }

    private Optional<String> whyNot(CheckMark mark) {
        if (check.restart) {
            return Optional.of("that was asked for");
        }
        if (mark.repair() != check.repair) {
            return Optional.of(mark.repair() ? "it was repairing" : "it was not repairing");
        }
        if (!mark.catalogue().equals(layouts)) {
            return Optional.of("the layouts have changed since");
        }
        return mark.servers().equals(servers.identity())
                ? Optional.empty()
                : Optional.of("the server was restarted or slots have moved since");
    }

    /** False if somebody else is at work now. */
    private boolean keep() {
        kept = ticks.now();
        findingsKept = log.findings().size();
        if (marks == null) {
            return true;
        }
        CheckMark mark =
                new CheckMark(
                        check.repair,
                        layouts,
                        servers.identity(),
                        began,
                        done(),
                        total,
                        at,
                        log.counts(),
                        homes.suspects());
        try {
            return marks.keep(mark, log.findings());
        } catch (RedisException e) {
            keepNoMore(e);
            return true;
        }
    }

    /** A server that takes no writes, or a user who may not write, can be checked all the same. */
    private void keepNoMore(RedisException why) {
        marks = null;
        check.listener.keepsNoPlace(String.valueOf(why.getMessage()));
    }

    private void leave() {
        try {
            if (marks != null) {
                marks.leave();
            }
        } catch (RedisException e) {
            keepNoMore(e);
        }
    }

    private void end() {
        try {
            if (marks != null) {
                marks.remove();
            }
        } catch (RedisException e) {
            keepNoMore(e);
        }
    }
}
