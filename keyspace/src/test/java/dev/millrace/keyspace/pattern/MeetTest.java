package dev.millrace.keyspace.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Where the seeds' own patterns meet, and where they only look as if they did. */
final class MeetTest {
    @ParameterizedTest
    @CsvSource({
        "alarm:{rule:name},                    alarm:events,                   alarm:events",
        "alarm:rule:{id:name},                 alarm:rule:index,               alarm:rule:index",
        "rule:{id:name},                       rule:index,                     rule:index",
        "rule:{id:name},                       rule:status,                    rule:status",
        "rule:{id:name},                       rule:statistics,                rule:statistics",
        "model:{model:name}:status,            model:template:{template:name},"
                + " model:template:status",
        "model:{model:name}:config,            model:template:{template:name},"
                + " model:template:config",
        "comsrv:{channel:name}:T,              comsrv:cmd:{channel:name},      comsrv:cmd:T",
        "history:{source:name}:{id:name},      history:index:{date:date},     "
                + " history:index:11111111",
        "event:device:{device},                event:{kind:name}:{x},          event:device:a",
        "idx:alarm:watch:{source}:{field:name}, idx:alarm:watch:{a:name}:{b:name}:{c:number},"
                + " idx:alarm:watch:a:a:1",
        "{key:documentkey},                    event:created,                  event:created",
        "{key:documentkey},                    alarm:{rule:name},              alarm:a",
        "{key:documentkey},                    event:device:{device},          event:device:a",
        "{key:documentkey},                    viewed:{token:token},           viewed:a",
        "{key:documentkey},                    {id:objectid},                 "
                + " aaaaaaaaaaaaaaaaaaaaaaaa",
        "{key:documentkey},                    {id:uuid},                     "
                + " aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
        "{key:documentkey},                    millrace:home:{id:any},         millrace:home:a",
        "{key:documentkey},                    {id:id},                       "
                + " aaaaaaaaaaaaaaaaaaaaaaaa",
        "{a}é,                                 é{b},                           éé",
        "x{a}x,                                xx{b},                          xxx",
    })
    void two_patterns_meet_in_a_shortest_key(String one, String other, String witness) {
        KeyPattern first = KeyPattern.of(one);
        KeyPattern second = KeyPattern.of(other);

        assertThat(first.meet(second)).contains(witness);
        assertThat(second.meet(first)).contains(witness);
        assertThat(first.matches(witness)).isTrue();
        assertThat(second.matches(witness)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "alarm:rule:{id:name},                 alarm:rule:config:{id:name}",
        "alarm:{rule:name},                    alarm:rule:{id:name}",
        "alarm:{rule:name},                    alarm:rule:index",
        "rule:{id:name},                       rule:execution:{id:name}",
        "model:{model:name}:status,            model:index",
        "model:{model:name}:status,            model:{model:name}:config",
        "comsrv:{channel:number}:T,            comsrv:cmd:{channel:number}:{command:name}",
        "history:{source:name}:{id:name}:{field:name}:{hour:hour},"
                + " history:statistics:{source:name}:{id:name}",
        "history:{source:name}:{id:name}:{field:name}:{hour:hour}, history:index:{date:date}",
        "event:device:{device},                event:queue:{type:name}",
        "event:device:{device},                event",
        "viewed:,                              viewed:{token:token}",
        "{id:uuid},                            {id:objectid}",
        "{id:uuid},                            event:device:{device}",
        "{id:id},                              alarm:{rule:name}",
        "{id:id},                              c.{{channel:tag}}.clock",
        "{id:id},                              event",
        "{key:documentkey},                    login:",
        "{key:documentkey},                    c.{{channel:name}}.clock",
        "{key:documentkey},                    jwt.{{jti:tag}}.revoke",
        "c.{{channel:tag}}.clock,              c.{{channel:tag}}.m.{clock:number}",
        "c.{{channel:tag}}.r.{subscriber},     c.{{channel:tag}}.mid.{message}",
        "millrace:home:{id},                   millrace:homes",
        "transmission:resendcount:{n:number},  transmission:resendcount:{n:number}:x",
    })
    void two_patterns_never_meet(String one, String other) {
        assertThat(KeyPattern.of(one).meet(KeyPattern.of(other))).isEmpty();
        assertThat(KeyPattern.of(other).meet(KeyPattern.of(one))).isEmpty();
    }

    @Test
    void a_bound_on_the_length_counts_against_a_literal() {
        Grammars mine = Grammars.standard().with(Grammar.chars("a-z").atMost(3).named("abc", "x"));

        assertThat(KeyPattern.of("a:{x:abc}", mine).meet(KeyPattern.of("a:abcd"))).isEmpty();
        assertThat(KeyPattern.of("a:{x:abc}", mine).meet(KeyPattern.of("a:abc"))).contains("a:abc");
    }

    @Test
    void a_bound_on_the_length_does_not_count_between_two_variables() {
        Grammars mine = Grammars.standard().with(Grammar.chars("a-z").atMost(3).named("abc", "x"));

        assertThat(KeyPattern.of("{x:abc}", mine).meet(KeyPattern.of("abc{y:name}")))
                .as("no common key has three letters, and the proof cannot know: on the safe side")
                .contains("abca");
    }

    @Test
    void the_seeds_meet_only_where_the_design_says_so() {
        List<KeyPattern> withoutTheRest = new ArrayList<>(SeedPatterns.ALL);
        withoutTheRest.removeAll(SeedPatterns.BREWBLOX);

        assertThat(PatternSet.of(withoutTheRest).meetings())
                .extracting(Meeting::toString)
                .containsExactly(
                        "alarm:rule:{id:name} and alarm:rule:index meet in alarm:rule:index",
                        "alarm:{rule:name} and alarm:events meet in alarm:events",
                        "rule:{id:name} and rule:index meet in rule:index",
                        "rule:{id:name} and rule:status meet in rule:status",
                        "rule:{id:name} and rule:statistics meet in rule:statistics",
                        "model:{model:name}:measurement and model:template:{template:name} meet in"
                                + " model:template:measurement",
                        "model:{model:name}:action and model:template:{template:name} meet in"
                                + " model:template:action",
                        "model:{model:name}:status and model:template:{template:name} meet in"
                                + " model:template:status",
                        "model:{model:name}:config and model:template:{template:name} meet in"
                                + " model:template:config");
    }

    @Test
    void documents_meet_everything_that_has_no_brace_and_does_not_end_in_a_colon() {
        KeyPattern documents = SeedPatterns.BREWBLOX.getFirst();

        assertThat(SeedPatterns.ALL)
                .filteredOn(pattern -> documents.meet(pattern).isEmpty())
                .extracting(KeyPattern::text)
                .containsExactly(
                        "login:",
                        "recent:",
                        "viewed:",
                        "delay:",
                        "schedule:",
                        "c.{{channel:tag}}.clock",
                        "c.{{channel:tag}}.r.{subscriber}",
                        "c.{{channel:tag}}.m.{clock:number}",
                        "c.{{channel:tag}}.mid.{message}",
                        "jwt.{{jti:tag}}.revoke");
    }

    @Test
    void every_witness_of_the_seeds_matches_both() {
        assertThat(PatternSet.of(SeedPatterns.ALL).meetings())
                .hasSizeGreaterThan(50)
                .allSatisfy(
                        meeting -> {
                            assertThat(meeting.first().matches(meeting.witness())).isTrue();
                            assertThat(meeting.second().matches(meeting.witness())).isTrue();
                        });
    }

    @Test
    void a_catalogue_of_many_patterns_is_proved_in_no_time() {
        List<KeyPattern> many = new ArrayList<>(SeedPatterns.ALL);
        for (KeyPattern pattern : SeedPatterns.ALL) {
            // The same tails behind one common word: the quick look at the first literal fails
            // here.
            many.add(KeyPattern.of("x:" + pattern.text()));
        }
        PatternSet set = PatternSet.of(many);
        long start = System.nanoTime();
        set.meetings();

        // It takes milliseconds; if the work grew with the number of words, it would take hours.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
        assertThat(many).hasSizeGreaterThan(150);
    }
}
