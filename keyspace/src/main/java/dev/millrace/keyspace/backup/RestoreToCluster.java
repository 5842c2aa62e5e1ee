package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.Slots;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Where a backup goes in a cluster. What was in a shard of a cluster goes to the same shard. What
 * was on a single server has to find its owner's: the file is read three times, so that nothing of
 * it need be kept in memory.
 *
 * <ol>
 *   <li>The <b>kind indexes</b>, which say whose a value is where several layouts share a pattern.
 *       An entry is put where its id points to; most stay there.
 *   <li>The <b>values</b> and cells. A value is read as an entity, which names its owner. If that
 *       is another shard than the one its id points to, the value gets a home pointer there, and
 *       its kind's entry follows it.
 *   <li>The <b>other indexes</b>: each entry goes where its entity is, found as any reader finds
 *       it, by the pointer or by the id alone.
 * </ol>
 *
 * <p>Keys with a tag of their own, and those of strangers, keep their names. What has no shard of
 * its own choice (a cell that lives with somebody it does not name) goes to the site's.
 */
final class RestoreToCluster {
    private final Shards shards;
    private final RestoreWriter writer;
    private final Sorting sorting;
    private final ValueSettler values;
    private final boolean fromCluster;

    RestoreToCluster(Ground ground, RestoreBatch batch, boolean fromCluster) {
        this.shards = ground.shards();
        this.writer = new RestoreWriter(batch);
        this.sorting = new Sorting(ground);
        this.values = new ValueSettler(ground, batch, fromCluster);
        this.fromCluster = fromCluster;
    }

    /** What a part is put in by. */
    private enum Turn {
        KIND,
        VALUE,
        INDEX
    }

    private static Turn turn(List<Spot> spots) {
        Spot spot = spots.getFirst();
        return switch (spot.role()) {
            case VALUE, LEFTOVER -> Turn.VALUE;
            case CELL ->
                    spot.owner() instanceof Cell cell
                                    && cell.lodging() instanceof Cell.Lodging.Beside
                            ? Turn.INDEX
                            : Turn.VALUE;
            case INDEX ->
                    spot.owner() instanceof Layout<?> layout
                                    && layout.mapping()
                                            .kind()
                                            .filter(spot.pattern().text()::equals)
                                            .isPresent()
                            ? Turn.KIND
                            : Turn.INDEX;
        };
    }

    /** Whether it lies where its own name says. */
    private boolean bare(Held held, List<Spot> spots) {
        return spots.isEmpty()
                || spots.getFirst().pattern().tagged()
                || (fromCluster && held.shard() == Held.NONE);
    }

    private static Place bare(byte[] key) {
        return new Place(Slots.crc16(key), Slots.of(key), "", "");
    }

    // ---------------------------------------------------------------- the three readings

    void kinds(Held held) {
        List<Spot> spots = sorting.spots(held.part().key());
        if (!bare(held, spots) && turn(spots) == Turn.KIND) {
            Layout<?> layout = (Layout<?>) spots.getFirst().owner();
            spread(held, id -> values.firstPlace(layout, id));
        }
    }

    void values(Held held) {
        List<Spot> spots = sorting.spots(held.part().key());
        if (bare(held, spots)) {
            // In a cluster, a stranger's key may still have been in a shard.
            boolean inShard = fromCluster && held.shard() != Held.NONE;
            writer.put(inShard ? shards.shard(held.shard()) : bare(held.part().key()), held.part());
        } else if (turn(spots) == Turn.VALUE) {
            switch (spots.getFirst().owner()) {
                case Layout<?> layout -> values.add(held, spots);
                case Cell cell -> cell(cell, held);
                case Leftover leftover -> leftover(held);
            }
        }
    }

    void endOfValues() {
        values.flush();
    }

    void indexes(Held held) {
        List<Spot> spots = sorting.spots(held.part().key());
        if (bare(held, spots) || turn(spots) != Turn.INDEX) {
            return;
        }
        switch (spots.getFirst().owner()) {
            case Layout<?> layout -> {
                List<String> ids = ids(held.part().body());
                Map<String, Place> places = fromCluster ? Map.of() : values.lastPlaces(layout, ids);
                spread(held, id -> places.getOrDefault(id, values.firstPlace(layout, id)));
            }
            case Cell cell -> beside(cell, held);
            case Leftover leftover -> leftover(held);
        }
    }

    // ---------------------------------------------------------------- cells

    private void cell(Cell cell, Held held) {
        if (fromCluster) {
            writer.put(shards.shard(held.shard()), held.part());
            return;
        }
        if (cell.lodging() instanceof Cell.Lodging.WithElement(var owner)) {
            spread(held, element -> shards.place(owner.apply(element)));
        } else {
            String key = Sorting.name(held.part().key());
            writer.put(shards.place(cell.ownerOfKey(key).orElse(Declaration.SITE)), held.part());
        }
    }

    /** It has no owner; the next check removes it wherever it lies. */
    private void leftover(Held held) {
        int shard = fromCluster ? held.shard() : shards.place(Declaration.SITE).shard();
        writer.put(shards.shard(shard), held.part());
    }

    private void beside(Cell cell, Held held) {
        Place place = shards.place(Declaration.SITE);
        String key = Sorting.name(held.part().key());
        if (fromCluster) {
            place = shards.shard(held.shard());
        } else if (cell.lodging() instanceof Cell.Lodging.Beside(Layout<?> layout, String of)) {
            String id = cell.valueIn(key, of).orElse("");
            place = values.lastPlaces(layout, List.of(id)).getOrDefault(id, place);
        }
        writer.put(place, held.part());
    }

    // ---------------------------------------------------------------- parts of parts

    /** Which ids an index entry is about, in order. */
    private static List<String> ids(Body body) {
        List<String> ids = new ArrayList<>();
        switch (body) {
            case Body.Members(List<byte[]> members) ->
                    members.forEach(each -> ids.add(Sorting.name(each)));
            case Body.Scores(List<Body.Scored> members) ->
                    members.forEach(each -> ids.add(Sorting.name(each.member())));
            case Body.Fields(List<byte[]> flat) -> {
                for (int i = 1; i < flat.size(); i += 2) {
                    ids.add(Sorting.name(flat.get(i)));
                }
            }
            case Body.Text _, Body.Items _, Body.Entries _, Body.StreamState _ -> {
                // no index has this type
            }
        }
        return ids;
    }

    /** Puts every member where it belongs; of a hash that is an index, its value decides. */
    private void spread(Held held, Function<String, Place> home) {
        Part part = held.part();
        if (fromCluster) {
            writer.put(shards.shard(held.shard()), part);
            return;
        }
        boolean index = sorting.spots(part.key()).getFirst().role() == Spot.Role.INDEX;
        Map<Integer, List<byte[]>> texts = new LinkedHashMap<>();
        Map<Integer, List<Body.Scored>> scores = new LinkedHashMap<>();
        switch (part.body()) {
            case Body.Members(List<byte[]> members) -> {
                for (byte[] each : members) {
                    at(texts, home.apply(Sorting.name(each))).add(each);
                }
                texts.forEach((shard, some) -> put(shard, part, new Body.Members(some)));
            }
            case Body.Scores(List<Body.Scored> members) -> {
                for (Body.Scored each : members) {
                    at(scores, home.apply(Sorting.name(each.member()))).add(each);
                }
                scores.forEach((shard, some) -> put(shard, part, new Body.Scores(some)));
            }
            case Body.Fields(List<byte[]> flat) -> {
                for (int i = 0; i + 1 < flat.size(); i += 2) {
                    byte[] decides = flat.get(index ? i + 1 : i);
                    List<byte[]> there = at(texts, home.apply(Sorting.name(decides)));
                    there.add(flat.get(i));
                    there.add(flat.get(i + 1));
                }
                texts.forEach((shard, some) -> put(shard, part, new Body.Fields(some)));
            }
            case Body.Text _, Body.Items _, Body.Entries _, Body.StreamState _ ->
                    // of another type than declared; the check will report it
                    writer.put(shards.place(Declaration.SITE), part);
        }
    }

    private static <T> List<T> at(Map<Integer, List<T>> all, Place place) {
        return all.computeIfAbsent(place.shard(), shard -> new ArrayList<>());
    }

    private void put(int shard, Part part, Body body) {
        writer.put(shards.shard(shard), part.withBody(body));
    }
}
