package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Random patterns over three letters, compared with a plain model on every string of up to six of
 * them. The model has a regular expression for each grammar and tries every way to cut a string, so
 * the two share no code.
 */
final class MeetModelTest {
    private static final String LETTERS = "ab:";
    private static final int LONGEST = 6;
    private static final int ROUNDS = 60;
    private static final List<String> STRINGS = strings();

    static List<Integer> seeds() {
        boolean full = Boolean.getBoolean("millrace.full");
        return IntStream.range(0, full ? 200 : 4).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void meeting_agrees_with_trying_every_string(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            Sample one = sample(random, false);
            Sample other = sample(random, false);
            Optional<String> met = one.pattern().meet(other.pattern());
            Optional<String> shortest = shortestOfBoth(one, other);
            String what = "%s and %s".formatted(one, other);

            shortest.ifPresent(
                    each -> assertThat(met.map(String::length)).as(what).contains(each.length()));
            assertThat(met.filter(each -> each.length() <= LONGEST).isPresent())
                    .as(what)
                    .isEqualTo(shortest.isPresent());
            met.ifPresent(
                    witness -> {
                        assertThat(one.matches(witness)).as(what).isTrue();
                        assertThat(other.matches(witness)).as(what).isTrue();
                        assertThat(one.pattern().matches(witness)).as(what).isTrue();
                        assertThat(other.pattern().matches(witness)).as(what).isTrue();
                    });
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void meeting_misses_nothing_when_lengths_are_bounded(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            Sample one = sample(random, true);
            Sample other = sample(random, true);
            if (shortestOfBoth(one, other).isPresent()) {
                assertThat(one.pattern().meet(other.pattern()))
                        .as("%s and %s", one, other)
                        .isPresent();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void matching_agrees_with_the_model(int seed) {
        Random random = new Random(seed);
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            samples.add(sample(random, i % 2 == 0));
        }
        List<KeyPattern> patterns = samples.stream().map(Sample::pattern).toList();
        PatternSet set = PatternSet.of(patterns);
        // So little memory that it is dropped all the time.
        PatternSet forgetful = PatternSet.of(patterns, 500);
        for (String string : STRINGS) {
            List<KeyPattern> expected =
                    samples.stream()
                            .filter(each -> each.matches(string))
                            .map(Sample::pattern)
                            .toList();
            List<KeyPattern> oneByOne =
                    patterns.stream().filter(each -> each.matches(string)).toList();
            assertThat(List.of(oneByOne, set.matching(string), forgetful.matching(string)))
                    .as(string)
                    .containsOnly(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_key_that_was_taken_apart_can_be_put_together_again(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            Sample sample = sample(random, i % 2 == 0);
            if (sample.pattern().parseable()) {
                assertThat(STRINGS)
                        .filteredOn(each -> rebuilt(sample.pattern(), each) != sample.matches(each))
                        .as(sample.toString())
                        .isEmpty();
            }
        }
    }

    private static boolean rebuilt(KeyPattern pattern, String key) {
        return pattern.values(key)
                .map(values -> pattern.key(values.toArray(String[]::new)).equals(key))
                .orElse(false);
    }

    private static Optional<String> shortestOfBoth(Sample one, Sample other) {
        return STRINGS.stream()
                .filter(each -> one.matches(each) && other.matches(each))
                .findFirst();
    }

    /** A pattern and, beside it, what it means. */
    private record Sample(
            KeyPattern pattern, List<String> literals, List<Pattern> values, List<Integer> most) {
        boolean matches(String string) {
            return matches(string, 0);
        }

        private boolean matches(String rest, int at) {
            if (!rest.startsWith(literals.get(at))) {
                return false;
            }
            String behind = rest.substring(literals.get(at).length());
            if (at == values.size()) {
                return behind.isEmpty();
            }
            return IntStream.rangeClosed(0, Math.min(behind.length(), most.get(at)))
                    .filter(end -> values.get(at).matcher(behind.substring(0, end)).matches())
                    .anyMatch(end -> matches(behind.substring(end), at + 1));
        }
    }

    private record Part(Grammar grammar, String regex, int most) {
        Part(Grammar grammar, String regex) {
            this(grammar, regex, Integer.MAX_VALUE);
        }

        Part atMost(int bytes) {
            return new Part(grammar.atMost(bytes), regex, bytes);
        }
    }

    private static Sample sample(Random random, boolean bounded) {
        Grammars grammars = Grammars.standard();
        List<String> literals = new ArrayList<>(List.of(literal(random, 0, 2)));
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder(literals.getFirst());
        int variables = 1 + random.nextInt(3);
        for (int i = 0; i < variables; i++) {
            Part part = part(random, 2);
            parts.add(bounded ? part.atMost(1 + random.nextInt(3)) : part);
            grammars = grammars.with(parts.getLast().grammar().named("g" + i, "a sample"));
            literals.add(literal(random, i == variables - 1 ? 0 : 1, 2));
            text.append("{v%d:g%d}".formatted(i, i)).append(literals.getLast());
        }
        return new Sample(
                KeyPattern.of(text.toString(), grammars),
                literals,
                parts.stream().map(part -> Pattern.compile(part.regex())).toList(),
                parts.stream().map(Part::most).toList());
    }

    private static Part part(Random random, int depth) {
        if (depth == 0) {
            String letters = literal(random, 1, 2);
            return switch (random.nextInt(3)) {
                case 0 -> new Part(Grammar.chars(letters), "[" + letters + "]+");
                case 1 -> new Part(Grammar.oneOf(letters), "[" + letters + "]");
                default -> new Part(Grammar.literal(letters), letters);
            };
        }
        Part one = part(random, depth - 1);
        Part other = part(random, depth - 1);
        String group = "(" + one.regex() + ")";
        return switch (random.nextInt(6)) {
            case 0 -> new Part(one.grammar().then(other.grammar()), group + other.regex());
            case 1 ->
                    new Part(
                            one.grammar().or(other.grammar()),
                            "(" + one.regex() + "|" + other.regex() + ")");
            case 2 -> new Part(one.grammar().repeated(), group + "+");
            case 3 -> new Part(one.grammar().optional(), group + "?");
            case 4 -> new Part(one.grammar().times(2), group + "{2}");
            default -> one;
        };
    }

    private static String literal(Random random, int from, int to) {
        int length = from + random.nextInt(to - from + 1);
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < length; i++) {
            literal.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return literal.toString();
    }

    /** All strings, the short ones first. */
    private static List<String> strings() {
        List<String> all = new ArrayList<>(List.of(""));
        for (int i = 0; all.get(i).length() < LONGEST; i++) {
            for (int j = 0; j < LETTERS.length(); j++) {
                all.add(all.get(i) + LETTERS.charAt(j));
            }
        }
        return all;
    }
}
