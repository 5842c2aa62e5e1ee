package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.shop.visits.Everywhere;
import dev.millrace.hub.shop.visits.Words;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.store.Cells;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Pages in Redis. Each is written, and removed, by one script with its entries; a purge that
 * happened while the application was being asked wins over what it answers. On a cluster a page
 * lies where its hash leads, with the entries of its groups beside it, so a purge asks everywhere.
 */
final class PageStore {
    static final String CHANNEL = "millrace:pages";

    private static final Logger log = LoggerFactory.getLogger(PageStore.class);
    private static final Script LOOK = Script.reading(PageStore.class, "look");
    private static final Script HOLDS = Script.reading(PageStore.class, "holds");
    private static final Script TAKE = Script.of(PageStore.class, "take");
    private static final Script FREE = Script.emptying(PageStore.class, "free");
    private static final Script KEEP = Script.of(PageStore.class, "keep", "remove");
    private static final Script UNMARK = Script.emptying(PageStore.class, "unmark", "remove");
    private static final Script PURGE = Script.emptying(PageStore.class, "purge", "remove");
    private static final int PURGED_AT_ONCE = 200;
    private static final int PURGES_REMEMBERED = 1000;

    /** Longer than any answer of the application takes that is kept. */
    private static final Duration PURGES_KEPT = Duration.ofMinutes(10);

    private final Keyspace keyspace;
    private final PagesSettings settings;
    private final List<String> places;

    PageStore(Keyspace keyspace, PagesSettings settings) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.places = Everywhere.owners(keyspace);
    }

    /** What was found; the bytes are as they stand there. */
    record Found(Optional<Known> known, byte[] stored, Optional<Page> page) {
        static final Found NOTHING = new Found(Optional.empty(), new byte[0], Optional.empty());
    }

    Found look(String hash) {
        List<?> both =
                Words.list(
                        keyspace.ask(
                                        LOOK,
                                        List.of(
                                                PagesLayouts.BODY.at(hash),
                                                PagesLayouts.PAGE.at(hash)))
                                .join());
        byte[] stored = both.size() == 2 && both.get(0) instanceof byte[] bytes ? bytes : null;
        if (stored == null) {
            return Found.NOTHING;
        }
        Known known = read(hash, stored);
        byte[] body = both.get(1) instanceof byte[] bytes ? bytes : null;
        return switch (known) {
            case null -> new Found(Optional.empty(), stored, Optional.empty());
            case Known.Kept kept when body == null ->
                    // Somebody has removed the page and not what we know of it.
                    new Found(Optional.empty(), stored, Optional.empty());
            case Known.Kept kept ->
                    new Found(Optional.of(kept), stored, Optional.of(new Page(hash, kept, body)));
            case Known other -> new Found(Optional.of(other), stored, Optional.empty());
        };
    }

    /** Whether a copy is still what is kept; without its body, which may be large. */
    boolean holds(String hash, Near.Copy copy) {
        return Words.numberOf(
                        keyspace.ask(
                                        HOLDS,
                                        List.of(
                                                PagesLayouts.BODY.at(hash),
                                                PagesLayouts.PAGE.at(hash)),
                                        copy.stored,
                                        Words.text(copy.page == null ? "" : "1"))
                                .join())
                == 1;
    }

    private static @Nullable Known read(String hash, byte[] stored) {
        try {
            return Json.MAPPER.readValue(stored, Known.class);
        } catch (JacksonException e) {
            log.warn("Skipped a stored page that is not one. hash={}", hash);
            return null;
        }
    }

    /** Whether somebody may ask the application for a page. */
    sealed interface Right {
        /**
         * He may.
         *
         * @param since when, by the server's clock, in microseconds
         */
        record Mine(String since) implements Right {}

        /** Another hub does. */
        record Busy() implements Right {}

        /** Something came since he looked. */
        record Changed() implements Right {}
    }

    Right take(String hash, String who, Duration time, byte[] seen) {
        List<?> answer =
                Words.list(
                        keyspace.call(
                                        TAKE,
                                        List.of(
                                                PagesLayouts.FETCH.at(hash),
                                                PagesLayouts.PAGE.at(hash)),
                                        Words.text(who),
                                        Words.number(time.toMillis()),
                                        seen)
                                .join());
        return switch (Words.textOf(answer.getFirst())) {
            case "mine" -> new Right.Mine(Words.textOf(answer.get(1)));
            case "busy" -> new Right.Busy();
            default -> new Right.Changed();
        };
    }

    void free(String hash, String who) {
        keyspace.call(
                        FREE,
                        List.of(PagesLayouts.FETCH.at(hash)),
                        Words.text(who),
                        Words.text(CHANNEL),
                        Words.text(hash))
                .join();
    }

    /** What became of a page that was to be kept. */
    enum Keeping {
        KEPT,
        PURGED,
        GONE,
        FULL
    }

    /** The body of what is kept. */
    sealed interface Body {
        record New(byte[] bytes) implements Body {}

        /** The one that is there. */
        record Same() implements Body {}

        record None() implements Body {}
    }

    /**
     * Keeps it.
     *
     * @param since from {@link Right.Mine}
     */
    Keeping keep(
            String hash,
            Known known,
            byte[] stored,
            Body body,
            Duration time,
            String since,
            String who) {
        List<String> groups = Groups.of(known);
        List<Cell.Key> keys = new ArrayList<>();
        keys.add(PagesLayouts.BODY.at(hash));
        keys.add(PagesLayouts.PAGE.at(hash));
        keys.add(PagesLayouts.FETCH.at(hash));
        keys.add(PagesLayouts.PAGES.of(hash));
        keys.add(PagesLayouts.SIZES.of(hash));
        keys.add(PagesLayouts.PURGED.of(hash));
        groups.forEach(group -> keys.add(PagesLayouts.GROUP.of(hash, group)));
        List<byte[]> args = new ArrayList<>();
        args.add(Words.text(hash));
        args.add(stored);
        args.add(body instanceof Body.New(byte[] bytes) ? bytes : new byte[0]);
        args.add(
                Words.text(
                        switch (body) {
                            case Body.New bytes -> "new";
                            case Body.Same same -> "old";
                            case Body.None none -> "none";
                        }));
        args.add(Words.number(Math.max(1, time.toMillis())));
        args.add(Words.text(since));
        args.add(Words.text(who));
        // Hashes are spread evenly over the places of a cluster.
        args.add(Words.number(Math.max(1, settings.most() / places.size())));
        args.add(
                Words.number(
                        Math.max(
                                settings.largest().count() * 2,
                                settings.bytes().count() / places.size())));
        args.add(Words.text(CHANNEL));
        args.add(beginning(PagesLayouts.BODY));
        args.add(beginning(PagesLayouts.PAGE));
        args.add(Words.number(settings.variants()));
        groups.forEach(group -> args.add(Words.text(group)));
        Object answer = keyspace.call(KEEP, keys, args.toArray(byte[][]::new)).join();
        return switch (Words.textOf(answer)) {
            case "kept" -> Keeping.KEPT;
            case "purged" -> Keeping.PURGED;
            case "gone" -> Keeping.GONE;
            default -> Keeping.FULL;
        };
    }

    /**
     * Forgets the note that a page cannot be kept.
     *
     * @param stored the note, as it stands there
     */
    void unmark(String hash, byte[] stored, String hub) {
        keyspace.call(
                        UNMARK,
                        List.of(
                                PagesLayouts.BODY.at(hash),
                                PagesLayouts.PAGE.at(hash),
                                PagesLayouts.PAGES.of(hash),
                                PagesLayouts.SIZES.of(hash)),
                        Words.text(hash),
                        stored,
                        Words.text(CHANNEL),
                        Words.text(hub),
                        beginning(PagesLayouts.BODY),
                        beginning(PagesLayouts.PAGE))
                .join();
    }

    static byte[] written(Known known) {
        return Json.MAPPER.writerFor(Known.class).writeValueAsString(known).getBytes(UTF_8);
    }

    /** How the keys of a cell begin, before a hash. */
    private static byte[] beginning(Cell cell) {
        String key = cell.at("0").key();
        return Words.text(key.substring(0, key.length() - 1));
    }

    /** How many pages are gone. */
    long purge(String group) {
        long gone = 0;
        List<String> left = places;
        while (!left.isEmpty()) {
            List<CompletableFuture<@Nullable Object>> answers = new ArrayList<>();
            for (String place : left) {
                answers.add(keyspace.call(PURGE, keysOf(place, group), argumentsOf(group)));
            }
            List<String> more = new ArrayList<>();
            for (int i = 0; i < left.size(); i++) {
                List<?> counts = Words.list(answers.get(i).join());
                gone += Words.numberOf(counts.get(0));
                if (Words.numberOf(counts.get(1)) == 1) {
                    more.add(left.get(i));
                }
            }
            left = more;
        }
        return gone;
    }

    private static List<Cell.Key> keysOf(String place, String group) {
        Cell.Key pages = PagesLayouts.PAGES.of(place);
        return List.of(
                group.equals(Groups.ALL) ? pages : PagesLayouts.GROUP.of(place, group),
                pages,
                PagesLayouts.SIZES.of(place),
                PagesLayouts.PURGED.of(place));
    }

    private static byte[][] argumentsOf(String group) {
        return new byte[][] {
            Words.text(group),
            Words.number(PURGED_AT_ONCE),
            Words.text(CHANNEL),
            beginning(PagesLayouts.BODY),
            beginning(PagesLayouts.PAGE),
            Words.number(PURGES_REMEMBERED),
            Words.number(PURGES_KEPT.toNanos() / 1000)
        };
    }

    // ---------------------------------------------------------------- looking

    /** How much there is. */
    record Amount(long pages, long bytes) {}

    Amount amount() {
        Cells cells = keyspace.cells();
        List<Cells.Question<Long>> counts =
                places.stream().map(each -> cells.size(PagesLayouts.PAGES.of(each))).toList();
        List<Cells.Question<Map<String, String>>> bytes =
                places.stream()
                        .map(each -> cells.fields(PagesLayouts.SIZES.of(each), List.of("all")))
                        .toList();
        return new Amount(
                counts.stream().mapToLong(each -> each.answer().or(0L)).sum(),
                bytes.stream()
                        .mapToLong(
                                each ->
                                        Words.whole(
                                                        each.answer()
                                                                .or(Map.of())
                                                                .getOrDefault("all", "0"))
                                                .orElse(0))
                        .sum());
    }

    /**
     * Something that is kept.
     *
     * @param ends in milliseconds since 1970
     */
    record Entry(String hash, Known known, long ends) {}

    /** Those that end last, which came last or are kept longest. */
    List<Entry> newest(int most) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<Cells.Scored>>> parts =
                places.stream()
                        .map(each -> cells.sorted(PagesLayouts.PAGES.of(each), -most, -1))
                        .toList();
        List<Cells.Scored> all = new ArrayList<>();
        parts.forEach(each -> all.addAll(each.answer().or(List.of())));
        all.sort(Comparator.comparingDouble(Cells.Scored::score).reversed());
        List<Cells.Scored> first = all.subList(0, Math.min(most, all.size()));
        List<CompletableFuture<Optional<byte[]>>> values =
                first.stream()
                        .map(each -> keyspace.askValue(PagesLayouts.PAGE.at(each.member())))
                        .toList();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            Cells.Scored each = first.get(i);
            values.get(i)
                    .join()
                    .map(stored -> read(each.member(), stored))
                    .ifPresent(
                            known ->
                                    entries.add(
                                            new Entry(each.member(), known, (long) each.score())));
        }
        return entries;
    }
}
