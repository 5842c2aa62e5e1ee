package dev.millrace.keyspace.store;

import dev.millrace.keyspace.EngineContract;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Samples of a line, batches that list them, tools that others write too; and who asks for what.
 */
abstract class TwoStepsContract extends EngineContract {
    record Batch(String id, String line, long made) {}

    record Sample(String id, String line, String name, long made, String value) {}

    record Tool(String tool, long wear) {}

    static final Layout<Batch> BATCHES =
            Layout.json("batch:{id:id}", Batch.class)
                    .ownedBy("line")
                    .sorted("batches:{line}", Batch::made);

    static final Layout<Sample> SAMPLES =
            Layout.json("{id:id}", Sample.class)
                    .ownedBy("line")
                    .kind("samples")
                    .sorted("samples", 0)
                    .sorted("samples:made", Sample::made)
                    .sorted("samples:line:{line}", Sample::made)
                    .sorted("samples:name:{name}", Sample::made);

    /** Others write these too. */
    static final Layout<Tool> TOOLS =
            Layout.json("tool:{tool:name}", Tool.class)
                    .ownedBySite()
                    .foreign()
                    .sorted("tools", Tool::wear);

    static final Cell LIST =
            Cell.of(KeyType.SORTED_SET, "batch-samples:{batch:id}")
                    .livesBeside("line", BATCHES, "batch")
                    .listing(SAMPLES);

    private static final Catalogue CATALOGUE = Keyspace.catalogue(BATCHES, SAMPLES, TOOLS, LIST);

    private static final String LINE = "samples:line:{line}";
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z]+):calls=([0-9]+)");

    Ground ground;
    Store<Sample> samples;
    Store<Batch> batches;
    Store<Tool> tools;

    TwoStepsContract(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    @BeforeEach
    void stores() {
        ground = Ground.of(redis, CATALOGUE);
        samples = new Store<>(ground, SAMPLES);
        batches = new Store<>(ground, BATCHES);
        tools = new Store<>(ground, TOOLS);
    }

    static Sample sample(long made, String value) {
        return new Sample(Shards.mint("a"), "a", "ph", made, value);
    }

    /** Newest first. */
    List<Sample> plant(int count, int size) {
        List<Sample> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Sample sample = sample(i / 3, i + "x".repeat(size));
            done(samples.create(sample));
            all.add(sample);
        }
        all.sort(
                (one, other) ->
                        one.made() == other.made()
                                ? other.id().compareTo(one.id())
                                : Long.compare(other.made(), one.made()));
        return all;
    }

    Batch plantBatch(long made, int parts) {
        Batch batch = new Batch(Shards.mint("a"), "a", made);
        Commit commit = keyspace.commit("a").create(BATCHES, batch);
        for (int i = 0; i < parts; i++) {
            Sample sample = sample(made, "s" + i);
            commit.create(SAMPLES, sample).addSorted(LIST.of("a", batch.id()), i, sample.id());
        }
        done(commit.run());
        return batch;
    }

    Query<Sample> ofLine() {
        return samples.query(LINE, "a").newestFirst();
    }

    /** How often the server of the line was asked for what. */
    private Map<String, Integer> calls() {
        Map<String, Integer> calls = new TreeMap<>();
        Object stats = site.command(fullKey("a", "samples"), "INFO", "commandstats");
        Matcher each = CALLS.matcher(String.valueOf(stats));
        while (each.find()) {
            calls.put(each.group(1), Integer.parseInt(each.group(2)));
        }
        calls.remove("info");
        return calls;
    }

    Map<String, Integer> callsOf(Runnable work) {
        Map<String, Integer> before = calls();
        work.run();
        Map<String, Integer> after = calls();
        after.replaceAll((command, count) -> count - before.getOrDefault(command, 0));
        after.values().removeIf(count -> count == 0);
        return after;
    }

    static <E> List<E> values(Iterator<Stored<E>> walk) {
        List<E> all = new ArrayList<>();
        walk.forEachRemaining(stored -> all.add(stored.value()));
        return all;
    }

    static List<Whole<Batch, Sample>> wholes(Query<Batch> query) {
        List<Whole<Batch, Sample>> all = new ArrayList<>();
        query.walk(100, LIST, SAMPLES).forEachRemaining(all::add);
        return all;
    }
}
