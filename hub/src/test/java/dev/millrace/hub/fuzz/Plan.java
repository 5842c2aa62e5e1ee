package dev.millrace.hub.fuzz;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How much is sent, of what, and by which chances. Bounded by a count, never by time.
 *
 * @param seeds one round each, for each mode of access
 * @param sent requests and packets in all, over all rounds and modes
 * @param only one step of one client, to see it alone
 */
record Plan(List<Long> seeds, int sent, Set<Kind> kinds, Optional<Only> only) {
    private static final int SHORT = 6_000;
    private static final int LONG = 200_000;

    /** One step: {@code -Dmillrace.fuzz.only=http/2/117}. */
    record Only(Kind kind, int client, int step) {
        static Only parse(String text) {
            String[] parts = text.split("/", -1);
            return new Only(
                    Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]));
        }
    }

    static Plan fromProperties() {
        boolean full = Boolean.getBoolean("millrace.full");
        List<Long> seeds =
                Optional.ofNullable(Long.getLong("millrace.fuzz.seed"))
                        .map(List::of)
                        .orElse(full ? List.of(1L, 2L, 3L, 4L) : List.of(1L));
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        Arrays.stream(System.getProperty("millrace.fuzz.kinds", "").split(",", -1))
                .filter(word -> !word.isEmpty())
                .forEach(word -> kinds.add(Kind.valueOf(word.toUpperCase(Locale.ROOT))));
        return new Plan(
                seeds,
                Integer.getInteger("millrace.fuzz.count", full ? LONG : SHORT),
                kinds.isEmpty() ? EnumSet.allOf(Kind.class) : kinds,
                Optional.ofNullable(System.getProperty("millrace.fuzz.only")).map(Only::parse));
    }

    /** How much one client sends in one round, in so many modes. */
    int share(Kind kind, int modes) {
        return Math.max(1, sent * kind.share / 100 / modes / seeds.size() / kind.clients);
    }

    boolean wants(Kind kind, int client, int step) {
        return kinds.contains(kind)
                && only.map(
                                each ->
                                        each.kind() == kind
                                                && each.client() == client
                                                && each.step() == step)
                        .orElse(true);
    }
}
