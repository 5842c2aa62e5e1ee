package dev.millrace.hub.models;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * All models in memory, with what feeds them: every value that comes in goes by them. Another hub's
 * change is seen within a second, by the number that counts all changes; what others write, when it
 * is noticed. Thread-safe.
 */
final class ModelBook implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModelBook.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOKS_UNTIL_ALL = 60;
    private static final int PAGE = 500;

    /** So far a value may be handed on from channel to channel. */
    private static final int LONGEST_CHAIN = 5;

    private final Keyspace keyspace;
    private final Site site;
    private final Store<ModelConfiguration> store;
    private final Seldom seldom = new Seldom();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("models-book").unstarted(this::run);
    private volatile All all = new All(Map.of(), Map.of(), Set.of(), Map.of());
    private String version = "";

    /**
     * What is known.
     *
     * @param readers which models read a point, by its reference
     * @param sources keys of channels that some model reads
     * @param handed where a value goes besides, by hand: to keys of channels
     */
    private record All(
            Map<String, Model> models,
            Map<String, Set<String>> readers,
            Set<String> sources,
            Map<String, List<String>> handed) {}

    private ModelBook(Keyspace keyspace, Site site) {
        this.keyspace = keyspace;
        this.site = site;
        this.store = keyspace.store(ModelsLayouts.MODELS);
    }

    static ModelBook open(Keyspace keyspace, Site site) {
        ModelBook book = new ModelBook(keyspace, site);
        book.look(true);
        book.thread.start();
        return book;
    }

    Optional<Model> get(String id) {
        return Optional.ofNullable(all.models.get(id));
    }

    Collection<Model> models() {
        return all.models.values();
    }

    /** Whether no value that comes in is of interest to anybody here. */
    boolean readsNothing() {
        All known = all;
        return known.models.isEmpty() && known.readers.isEmpty() && known.handed.isEmpty();
    }

    /** Models that read a point. */
    Set<String> readers(String reference) {
        return all.readers.getOrDefault(reference, Set.of());
    }

    /** Sources that some model reads. */
    Set<String> sources() {
        return all.sources;
    }

    /** Keys of channels that a value is to be handed on to. */
    List<String> handed(String reference) {
        return all.handed.getOrDefault(reference, List.of());
    }

    void reload() {
        load();
    }

    private void run() {
        try {
            for (int looks = 1; !closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS); looks++) {
                look(looks % LOOKS_UNTIL_ALL == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(boolean always) {
        try {
            String now = site.version(keyspace).stored();
            if (always || !now.equals(version)) {
                load();
                version = now;
            }
        } catch (RedisException e) {
            seldom.say(
                    others ->
                            log.warn(
                                    "Models cannot be read. reason={} others={}",
                                    e.getMessage(),
                                    others));
        }
    }

    private synchronized void load() {
        Map<String, Model> models = new TreeMap<>();
        Optional<Cursor> from = Optional.empty();
        do {
            Query<ModelConfiguration> query = store.query(ModelsLayouts.INDEX).limit(PAGE);
            from.ifPresent(query::after);
            Page<ModelConfiguration> page;
            try {
                page = query.page();
            } catch (UndecodableException e) {
                unfit("one of them", String.valueOf(e.getMessage()));
                break;
            }
            for (Stored<ModelConfiguration> each : page.items()) {
                switch (ModelReader.model(each.value())) {
                    case ModelReader.Read.Good<Model>(Model model) -> models.put(each.id(), model);
                    case ModelReader.Read.Bad<Model>(var why) -> unfit(each.id(), why.message());
                }
            }
            from = page.next();
        } while (from.isPresent());
        Map<String, Set<String>> readers = new HashMap<>();
        for (Model model : models.values()) {
            for (Member.Point point : model.inputs()) {
                readers.computeIfAbsent(point.reference(), key -> new LinkedHashSet<>())
                        .add(model.id());
            }
        }
        Map<String, List<String>> handed = new HashMap<>();
        Map<String, String> map =
                keyspace.cells().hash(ModelsLayouts.MAP.at()).answer().or(Map.of());
        map.forEach((source, text) -> extra(models, readers, handed, source, text));
        Set<String> sources = new HashSet<>();
        for (Model model : models.values()) {
            model.inputs().forEach(point -> sources.add(point.source()));
        }
        all = new All(models, readers, sources, withoutCircles(handed));
    }

    /** What somebody has put into the map that no model says of itself. */
    private static void extra(
            Map<String, Model> models,
            Map<String, Set<String>> readers,
            Map<String, List<String>> handed,
            String source,
            String text) {
        for (String target : PointMap.targets(text)) {
            PointMap.Target parsed = PointMap.target(target);
            if (parsed.isModel()) {
                Model model = models.get(parsed.id());
                Member.Point point = PointMap.point(source);
                boolean mine =
                        model != null
                                && model.targets().getOrDefault(source, List.of()).contains(target);
                if (model != null && point != null && !mine) {
                    Map<String, Member> members = new LinkedHashMap<>(model.members());
                    members.putIfAbsent(parsed.field(), new Member.Mapped(point, 1, 0));
                    models.put(
                            model.id(),
                            new Model(
                                    model.id(),
                                    model.name(),
                                    model.type(),
                                    model.template(),
                                    members,
                                    model.actions()));
                    readers.computeIfAbsent(source, key -> new LinkedHashSet<>()).add(model.id());
                }
            } else if (PointMap.point(target) != null && !target.equals(source)) {
                handed.computeIfAbsent(source, key -> new ArrayList<>()).add(target);
            }
        }
    }

    /** What would come back to where it was, or go too far, goes nowhere. */
    private Map<String, List<String>> withoutCircles(Map<String, List<String>> handed) {
        Map<String, List<String>> good = new HashMap<>();
        handed.forEach(
                (source, targets) -> {
                    for (String target : targets) {
                        if (depth(handed, target, new HashSet<>(Set.of(source))) < LONGEST_CHAIN) {
                            good.computeIfAbsent(source, key -> new ArrayList<>()).add(target);
                        } else {
                            unfit(source, "its value would go round in a circle, or too far");
                        }
                    }
                });
        return good;
    }

    private static int depth(Map<String, List<String>> handed, String from, Set<String> seen) {
        if (!seen.add(from)) {
            return LONGEST_CHAIN;
        }
        int deepest = 0;
        for (String next : handed.getOrDefault(from, List.of())) {
            deepest = Math.max(deepest, 1 + depth(handed, next, new HashSet<>(seen)));
            if (deepest >= LONGEST_CHAIN) {
                break;
            }
        }
        return deepest;
    }

    private void unfit(String what, String why) {
        seldom.say(
                others ->
                        log.warn(
                                "A model or an entry of the map is not used. about={} reason={}"
                                        + " others={}",
                                what,
                                why,
                                others));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
