package dev.millrace.keyspace.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.pattern.PatternSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All declarations of a program, proved to be free of collisions.
 *
 * <p>Any two patterns either can never match the same key, which is proved here when they are
 * registered, or one of them gives way: it says so with {@code losesTo}, and ids that would lead to
 * a winner's key are refused. There are two declared exceptions, both of which check inside the
 * commit: kinds that share one value pattern, and the one layout that is <i>the rest</i>.
 *
 * <p>Immutable, thread-safe.
 */
public final class Catalogue {
    /** Prefix of every key that is the engine's own. */
    public static final String OWN = "millrace:";

    private final List<Declaration> declarations;
    private final Set<Declaration> registered;
    private final List<Spot> spots;
    private final Map<KeyPattern, List<Spot>> spotsOf;
    private final PatternSet patterns;

    /** For each pattern of each declaration: the spots it gives way to. */
    private final Map<Declaration, Map<KeyPattern, List<Spot>>> winners = new HashMap<>();

    private Catalogue(List<Declaration> declarations) {
        this.declarations = List.copyOf(declarations);
        this.registered = Set.copyOf(declarations);
        this.spots = declarations.stream().flatMap(each -> each.spots().stream()).toList();
        this.spotsOf =
                spots.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Spot::pattern, LinkedHashMap::new, Collectors.toList()));
        this.patterns = PatternSet.of(spotsOf.keySet());
    }

    /**
     * Registers declarations. What a keyspace works on has the engine's own keys besides: {@code
     * Keyspace.catalogue} adds them.
     *
     * @throws CollisionException naming every pair that may meet and for which no winner is
     *     declared
     */
    public static Catalogue of(Declaration... declarations) {
        return of(Arrays.asList(declarations));
    }

    public static Catalogue of(Collection<? extends Declaration> declarations) {
        Set<Declaration> all = new LinkedHashSet<>(declarations);
        all.forEach(Declaration::freeze);
        Catalogue catalogue = new Catalogue(new ArrayList<>(all));
        catalogue.prove();
        return catalogue;
    }

    // ---------------------------------------------------------------- the proof

    private void prove() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < spots.size(); i++) {
            for (int j = i + 1; j < spots.size(); j++) {
                Spot one = spots.get(i);
                Spot other = spots.get(j);
                Optional<String> witness = one.pattern().meet(other.pattern());
                if (witness.isPresent() && !settled(one, other)) {
                    problems.add(
                            "%s (%s) and %s (%s) can both be the key '%s'; let one of them give way with losesTo"
                                    .formatted(
                                            one.pattern(),
                                            one.owner().name(),
                                            other.pattern(),
                                            other.owner().name(),
                                            witness.get()));
                }
            }
        }
        kindsDiffer(problems);
        losersNameRealPatterns(problems);
        if (!problems.isEmpty()) {
            throw new CollisionException(problems);
        }
    }

    private boolean settled(Spot one, Spot other) {
        if (shareOneValueSpace(one, other)) {
            return true;
        }
        if (isRest(one) || isRest(other)) {
            Spot winner = isRest(one) ? other : one;
            // A shared value space is told apart inside the commit: the key may be free.
            if (!isRest(winner) && !isKind(winner)) {
                giveWay(isRest(one) ? one : other, winner);
            }
            return !isRest(winner);
        }
        boolean oneLoses = one.owner().losesTo().contains(other.pattern().text());
        boolean otherLoses = other.owner().losesTo().contains(one.pattern().text());
        if (oneLoses == otherLoses) {
            return false;
        }
        giveWay(oneLoses ? one : other, oneLoses ? other : one);
        return true;
    }

    private void giveWay(Spot loser, Spot winner) {
        winners.computeIfAbsent(loser.owner(), owner -> new HashMap<>())
                .computeIfAbsent(loser.pattern(), pattern -> new ArrayList<>())
                .add(winner);
    }

    private static boolean shareOneValueSpace(Spot one, Spot other) {
        return isKind(one) && isKind(other) && one.pattern().equals(other.pattern());
    }

    private static boolean isKind(Spot spot) {
        return spot.role() == Spot.Role.VALUE
                && spot.owner() instanceof Layout<?> layout
                && layout.kind().isPresent()
                && !layout.isRest();
    }

    private static boolean isRest(Spot spot) {
        return spot.role() == Spot.Role.VALUE
                && spot.owner() instanceof Layout<?> layout
                && layout.isRest();
    }

    private void kindsDiffer(List<String> problems) {
        Set<String> kinds = new HashSet<>();
        for (Layout<?> layout : layouts()) {
            layout.kind()
                    .filter(kind -> !kinds.add(kind))
                    .ifPresent(kind -> problems.add("two layouts name the kind index " + kind));
        }
    }

    private void losersNameRealPatterns(List<String> problems) {
        Set<String> texts =
                spots.stream().map(spot -> spot.pattern().text()).collect(Collectors.toSet());
        for (Declaration each : declarations) {
            for (String winner : each.losesTo()) {
                if (!texts.contains(winner)) {
                    problems.add(
                            "%s gives way to %s, which nobody declares"
                                    .formatted(each.name(), winner));
                }
            }
        }
    }

    // ---------------------------------------------------------------- asking

    /** Why a key that this declaration builds is not its own, in a sentence; empty if it is. */
    public Optional<String> refusal(Declaration owner, KeyPattern pattern, String key) {
        if (owner instanceof Layout<?> layout && layout.isRest() && key.startsWith(OWN)) {
            return Optional.of(
                    "Keys that begin with '%s' are Millrace's own; choose another id."
                            .formatted(OWN));
        }
        List<Spot> above = winners.getOrDefault(owner, Map.of()).getOrDefault(pattern, List.of());
        for (Spot winner : above) {
            // Most differ in their first letters, and need not be matched sign by sign.
            if (key.startsWith(winner.pattern().head()) && winner.pattern().matches(key)) {
                return Optional.of(
                        "The key '%s' is reserved for %s; choose another id."
                                .formatted(key, words(holder(key, winner))));
            }
        }
        return Optional.empty();
    }

    /** The one that keeps the key in the end: a winner may give way to another one itself. */
    private Spot holder(String key, Spot winner) {
        List<Spot> left = spotsOf(key);
        return left.isEmpty() || left.contains(winner) ? winner : left.getFirst();
    }

    private static String words(Spot spot) {
        return switch (spot.owner()) {
            case Cell cell -> cell.name();
            case Leftover leftover -> leftover.name();
            case Layout<?> layout -> "%s (%s)".formatted(layout.name(), spot.pattern());
        };
    }

    /**
     * Why this id cannot be stored under the layout, in a sentence; empty if it can. Rooms ask it
     * to answer a bad request before they do anything else.
     */
    public Optional<String> refusal(Layout<?> layout, String id) {
        String key = layout.mapping().keyOf(id);
        if (!layout.mapping().accepts(id)) {
            String allowed =
                    layout.pattern().variables().size() == 1
                            ? layout.pattern()
                                    .grammar(layout.pattern().variables().getFirst())
                                    .describe()
                            : "such that its key matches " + layout.pattern();
            return Optional.of(
                    "'%s' is not a valid id of %s: it must be %s."
                            .formatted(id, layout.name(), allowed));
        }
        return refusal(layout, layout.pattern(), key);
    }

    /** What this key, without a shard's prefix, may be; {@link #spotsOf(byte[])}. */
    public List<Spot> spotsOf(String key) {
        return spotsOf(key.getBytes(UTF_8));
    }

    /**
     * The spots a key without prefix may belong to. Several only for kinds that share a pattern,
     * and for a key that the rest would take if none of them has it; none if nobody claims it.
     */
    public List<Spot> spotsOf(byte[] key) {
        List<Spot> found = new ArrayList<>();
        for (KeyPattern pattern : patterns.matching(key)) {
            found.addAll(spotsOf.getOrDefault(pattern, List.of()));
        }
        if (found.size() > 1) {
            List<Spot> all = List.copyOf(found);
            found.removeIf(
                    spot ->
                            winners
                                    .getOrDefault(spot.owner(), Map.of())
                                    .getOrDefault(spot.pattern(), List.of())
                                    .stream()
                                    .anyMatch(all::contains));
        }
        return found;
    }

    /** Every pattern of every declaration. */
    public List<Spot> spots() {
        return spots;
    }

    public List<Declaration> declarations() {
        return declarations;
    }

    public List<Layout<?>> layouts() {
        List<Layout<?>> layouts = new ArrayList<>();
        for (Declaration each : declarations) {
            if (each instanceof Layout<?> layout) {
                layouts.add(layout);
            }
        }
        return layouts;
    }

    public void mustContain(Declaration declaration) {
        if (!registered.contains(declaration)) {
            throw new IllegalArgumentException(
                    declaration.name() + " is not registered in this catalogue.");
        }
    }

    /** The key reference: a table for each layout, and one for all cells. */
    public String markdown() {
        return CatalogueText.markdown(declarations);
    }

    /** The same tables for some of the declarations, with headings of this level. */
    public static String markdown(Collection<? extends Declaration> some, int level) {
        return CatalogueText.sections(some, level);
    }

    /** The index entries of some entities as a table of keys, scores and members. */
    public static String table(List<Entry> entries) {
        return CatalogueText.table(entries);
    }
}
