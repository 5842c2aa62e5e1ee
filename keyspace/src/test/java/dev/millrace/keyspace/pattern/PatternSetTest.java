package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

final class PatternSetTest {
    private static final PatternSet SEEDS = PatternSet.of(SeedPatterns.ALL);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    57ba04a1189b95b8afcdafd7                | {id:id}, {key:documentkey}
                    event                                   | event, {key:documentkey}
                    event:device:123456789                  | event:device:{device}, {key:documentkey}
                    event:device:gate 7                     | event:device:{device}
                    viewed:                                 | viewed:
                    viewed: EB9382CA                        | ''
                    cart:EB9382CA-0376-4558-B271-EA230BDB7EAF | cart:{token:token}, {key:documentkey}
                    alarm:rule:index                        | alarm:rule:{id:name}, alarm:rule:index, {key:documentkey}
                    alarm:events                            | alarm:{rule:name}, alarm:events, {key:documentkey}
                    idx:alarm:watch:comsrv:1:T:101          | idx:alarm:watch:{source}:{field:name}, {key:documentkey}
                    comsrv:1:T                              | comsrv:{channel:number}:T, {key:documentkey}
                    history:comsrv:1:101:2025080712         | history:{source:name}:{id:name}:{field:name}:{hour:hour}, {key:documentkey}
                    model:template:status                   | model:{model:name}:status, model:template:{template:name}, {key:documentkey}
                    group:subgroup:id                       | {key:documentkey}
                    c.{chX}.clock                           | c.{{channel:tag}}.clock
                    c.{chX}.m.1                             | c.{{channel:tag}}.m.{clock:number}
                    c.{chX}.mid.msg123                      | c.{{channel:tag}}.mid.{message}
                    c.{}.clock                              | ''
                    something else                          | ''
                    """)
    void a_key_of_the_seeds_belongs_to_these_patterns(String key, String patterns) {
        assertThat(String.join(", ", SEEDS.matching(key).stream().map(KeyPattern::text).toList()))
                .isEqualTo(patterns);
    }

    @Test
    void no_patterns_match_nothing() {
        assertThat(PatternSet.of(List.of()).matching("event")).isEmpty();
        assertThat(PatternSet.of(List.of()).matching("")).isEmpty();
        assertThat(SEEDS.matching("")).isEmpty();
    }

    @Test
    void a_pattern_given_twice_counts_once() {
        KeyPattern pattern = KeyPattern.of("{id:id}");
        PatternSet set = PatternSet.of(List.of(pattern, KeyPattern.of("{id:id}")));

        assertThat(set.patterns()).containsExactly(pattern);
        assertThat(set.meetings()).isEmpty();
    }

    @Test
    void keys_that_are_not_utf8_can_be_asked_about() {
        byte[] key = "event:device:x".getBytes(ISO_8859_1);
        key[key.length - 1] = (byte) 0xFF;

        assertThat(SEEDS.matching(key))
                .extracting(KeyPattern::text)
                .containsExactly("event:device:{device}");
    }

    @Test
    void many_threads_get_the_answers_of_one() throws Exception {
        List<String> keys = randomKeys(4_000);
        List<List<KeyPattern>> expected =
                keys.stream()
                        .map(key -> SeedPatterns.ALL.stream().filter(p -> p.matches(key)).toList())
                        .toList();
        // Small enough to be dropped while other threads walk in it.
        PatternSet shared = PatternSet.of(SeedPatterns.ALL, 20_000);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<List<List<KeyPattern>>>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(threads.submit(() -> keys.stream().map(shared::matching).toList()));
            }
            for (Future<List<List<KeyPattern>>> answer : answers) {
                assertThat(answer.get()).isEqualTo(expected);
            }
        }
    }

    @Test
    void what_is_remembered_stays_bounded_whatever_is_asked() {
        // To know whether an x stood at each of the last twelve places takes 4096 sets of states.
        Grammar places = Grammar.oneOf("xy").times(12);
        Grammars grammars = Grammars.standard().with(places.named("places", "twelve x or y"));
        KeyPattern nasty = KeyPattern.of("{a}x{b:places}", grammars);
        int heaviest = 4_000;
        LazyDfa dfa = new LazyDfa(List.of(nasty.automaton()), heaviest);
        Random random = new Random(1);
        int most = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] key = new byte[40];
            for (int j = 0; j < key.length; j++) {
                key[j] = (byte) (random.nextBoolean() ? 'x' : 'y');
            }
            assertThat(dfa.accepts(key, 0, key.length)).isEqualTo(key[key.length - 13] == 'x');
            most = Math.max(most, dfa.weight());
        }
        assertThat(most).isBetween(heaviest / 2, heaviest + 100);
    }

    private static List<String> randomKeys(int count) {
        Random random = new Random(7);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeyPattern pattern = SeedPatterns.ALL.get(random.nextInt(SeedPatterns.ALL.size()));
            String value = Integer.toString(random.nextInt(100_000), 36);
            String key = pattern.text().replaceAll("\\{\\w+(:\\w+)?}", value);
            keys.add(random.nextInt(4) == 0 ? key.substring(random.nextInt(key.length())) : key);
        }
        return keys;
    }
}
