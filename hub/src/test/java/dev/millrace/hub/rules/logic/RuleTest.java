package dev.millrace.hub.rules.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.http.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What rules say: their four forms, operators, expressions and flows. */
class RuleTest {
    private static final long NOW = 1_754_530_782_000L;
    private static final ZoneId ZONE = ZoneId.of("UTC");
    private static final String DO =
            "'actions':[{'type':'set_value','target':'rulesrv:value:x','value':1}]";

    private final Map<String, String> values =
            new HashMap<>(
                    Map.of("comsrv:1:T:101", "80", "comsrv:1:T:102", "text", "comsrv:1:S:5", "1"));

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private Sight sight(Memory memory, long now) {
        return new Sight(source -> values.get(source.text()), now, ZONE, memory, Map.of("n", 3.0));
    }

    private static Rule rule(String members) throws RuleFault {
        return Rule.read(
                "r",
                json(
                        "{"
                                + members
                                + (members.contains("actions") || members.contains("nodes")
                                        ? ""
                                        : "," + DO)
                                + "}"));
    }

    private boolean met(String members) throws RuleFault {
        return rule(members).look(sight(Memory.empty(), NOW)).met();
    }

    private static String test(String operator, String value) {
        return "'condition':{'source':'comsrv:1:T:101','operator':'%s','value':%s}"
                .formatted(operator, value);
    }

    /** What point 101 holds | operator | value | whether that is so. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "80|>|79|true",
                "80|>|80|false",
                "80|gt|79.9|true",
                "80|>=|80|true",
                "80|gte|81|false",
                "80|<|81|true",
                "80|lt|80|false",
                "80|<=|80|true",
                "80|lte|79|false",
                "80|==|80|true",
                "80.0|==|80|true",
                "80|eq|'80'|true",
                "80|==|'80.00'|true",
                "80|==|81|false",
                "text|==|'text'|true",
                "text|==|'Text'|false",
                "1|==|true|true",
                "true|==|true|true",
                "80|!=|81|true",
                "80|ne|80.0|false",
                "text|!=|'other'|true",
                "text|>|1|false",
                "text|<|1|false",
                "80|>|'x'|false",
                "text|contains|'ex'|true",
                "text|contains|'z'|false",
                "text|regex|'^t.*t$'|true",
                "text|regex|'^x'|false",
                "80|in|[1,80]|true",
                "80|in|[1,2]|false",
                "text|in|['a','text']|true",
                "80|not_in|[1,2]|true",
                "80|not_in|[80]|false",
                "80|between|[80,90]|true",
                "80|between|[81,90]|false",
                "text|between|[1,2]|false",
                "80|exists|null|true",
                "80|not_exists|null|false",
                "80|changed|null|false"
            })
    void one_condition(String stored, String operator, String value, boolean holds)
            throws RuleFault {
        values.put("comsrv:1:T:101", stored);
        assertThat(met(test(operator, value))).isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">",
                ">=",
                "<",
                "<=",
                "==",
                "!=",
                "contains",
                "not_in",
                "between",
                "exists",
                "changed"
            })
    void what_is_missing_is_never_so(String operator) throws RuleFault {
        values.clear();
        String value = operator.equals("not_in") || operator.equals("between") ? "[1,2]" : "1";
        Rule rule = rule(test(operator, value));
        Sight sight = sight(Memory.empty(), NOW);
        assertThat(rule.look(sight).met()).isFalse();
        assertThat(sight.missing()).containsExactly("comsrv:1:T:101");
        assertThat(met(test("not_exists", "1"))).isTrue();
    }

    /** T holds, F does not. */
    private static String part(boolean holds) {
        return "{'source':'comsrv:1:T','field':'101','op':'%s','value':80}"
                .formatted(holds ? "==" : "!=");
    }

    @Test
    void groups() throws RuleFault {
        for (boolean one : new boolean[] {true, false}) {
            for (boolean other : new boolean[] {true, false}) {
                String two = part(one) + "," + part(other);
                for (boolean all : new boolean[] {true, false}) {
                    String word = all ? "AND" : "OR";
                    boolean expected = all ? one && other : one || other;
                    assertThat(
                                    met(
                                            "'condition_logic':'%s','condition_groups':[{'logic':'%s','conditions':[%s]}]"
                                                    .formatted(word, word, two)))
                            .isEqualTo(expected);
                    assertThat(
                                    met(
                                            "'conditions':{'operator':'%s','conditions':[%s]}"
                                                    .formatted(word, two)))
                            .isEqualTo(expected);
                    assertThat(
                                    met(
                                            "'condition_logic':'%s','condition_groups':[{'logic':'AND','conditions':[%s]},{'logic':'OR','conditions':[%s]}]"
                                                    .formatted(word, part(one), part(other))))
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(met("'conditions':{'operator':'AND','conditions':[]}")).isTrue();
        assertThat(met("'conditions':{'operator':'OR','conditions':[]}")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1 + 2 * 3|7",
                "(1 + 2) * 3|9",
                "2 ^ 3 ^ 2|512",
                "-2 ^ 2|-4",
                "7 % 4|3",
                "10 / 4|2.5",
                "abs(-3)|3",
                "min(3, 1, 2)|1",
                "max(3, n, 2)|3",
                "avg(1, 2, 6)|3",
                "sum(1, 2, 3)|6",
                "round(2.345, 2)|2.35",
                "round(2.5)|3",
                "sign(-7)|-1",
                "clamp(15, 0, 10)|10",
                "scale(3, 2)|6",
                "sqrt(16)|4",
                "pow(2, 10)|1024",
                "floor(2.7)|2",
                "ceil(2.1)|3",
                "if(n > 2, 10, 20)|10",
                "n > 2 ? 1 : 0|1",
                "n > 5 ? 1 : n > 2 ? 2 : 3|2",
                "$n + 1|4",
                "a * 2|160",
                "time.hour|1",
                "time.minute|39",
                "time.weekday|4",
                "integrate(n)|0",
                "moving_avg(n, 3)|3",
                "rate_of_change(n)|0"
            })
    void expressions_come_to_numbers(String text, double expected) throws Exception {
        Expression expression =
                Expression.parse(
                        text,
                        Map.of("a", new SourceRef("comsrv:1:T", "101")),
                        "x",
                        RuleFault.Code.INVALID_CONDITION);
        assertThat((Double) expression.value(sight(Memory.empty(), NOW))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "a > 30 && n < 10#true",
                "a > 30 AND n > 10#false",
                "a > 90 || n == 3#true",
                "a > 90 OR n == 4#false",
                "!(a > 90)#true",
                "NOT a > 90#true",
                "not (a == 80)#false",
                "a == '80'#true",
                "b == 'text'#true",
                "b > 1#false",
                "true#true",
                "false || false#false",
                "a != 80#false",
                "missing > 1#false",
                "missing != 1#false",
                "time.hour >= 0 && time.hour < 24#true"
            })
    void expressions_come_to_truths(String text, boolean expected) throws RuleFault {
        String inputs =
                "'inputs':{'a':'comsrv:1:T:101','b':{'source':'comsrv:1:T','field':'102'},'missing':'comsrv:1:T:999'}";
        ObjectNode document = json("{" + inputs + "," + DO + "}");
        document.put("condition", text);
        assertThat(Rule.read("r", document).look(sight(Memory.empty(), NOW)).met())
                .isEqualTo(expected);
    }

    @Test
    void expressions_of_one_shape_keep_their_own_numbers() throws RuleFault {
        Rule lower = rule("'condition':'x * 2 > 159','inputs':{'x':'comsrv:1:T:101'}");
        Rule higher = rule("'condition':'x * 2 > 160','inputs':{'x':'comsrv:1:T:101'}");
        assertThat(lower.look(sight(Memory.empty(), NOW)).met()).isTrue();
        assertThat(higher.look(sight(Memory.empty(), NOW)).met()).isFalse();
        assertThat(lower.look(sight(Memory.empty(), NOW)).met()).isTrue();
    }

    @Test
    void a_condition_must_last() throws RuleFault {
        Rule rule =
                rule(
                        "'condition':{'source':'comsrv:1:T:101','operator':'>','value':70,'duration':5}");
        Memory memory = Memory.empty();
        Sight first = sight(memory, NOW);
        assertThat(rule.look(first).met()).isFalse();
        assertThat(first.due()).isEqualTo(NOW + 5000);
        Memory restarted = Memory.of(Json.MAPPER.readTree(memory.kept().toString()));
        assertThat(rule.look(sight(restarted, NOW + 4999)).met()).isFalse();
        assertThat(rule.look(sight(restarted, NOW + 5000)).met()).isTrue();
        values.put("comsrv:1:T:101", "60");
        assertThat(rule.look(sight(restarted, NOW + 6000)).met()).isFalse();
        values.put("comsrv:1:T:101", "80");
        assertThat(rule.look(sight(restarted, NOW + 7000)).met()).isFalse();
    }

    @Test
    void functions_remember_from_run_to_run() throws Exception {
        Memory memory = Memory.empty();
        Expression sum =
                Expression.parse("integrate($n)", Map.of(), "x", RuleFault.Code.INVALID_CONDITION);
        Expression rate =
                Expression.parse(
                        "rate_of_change($v)", Map.of(), "y", RuleFault.Code.INVALID_CONDITION);
        Expression average =
                Expression.parse(
                        "moving_avg($v, 2)", Map.of(), "z", RuleFault.Code.INVALID_CONDITION);
        double[] v = {1, 5, 3};
        double[][] expected = {{0, 0, 1}, {6, 2, 3}, {12, -1, 4}};
        for (int i = 0; i < v.length; i++) {
            memory = Memory.of(Json.MAPPER.readTree(memory.kept().toString()));
            Sight sight =
                    new Sight(
                            source -> null,
                            NOW + i * 2000L,
                            ZONE,
                            memory,
                            Map.of("n", 3.0, "v", v[i]));
            assertThat((Double) sum.value(sight)).isEqualTo(expected[i][0]);
            assertThat((Double) rate.value(sight)).isEqualTo(expected[i][1]);
            assertThat((Double) average.value(sight)).isEqualTo(expected[i][2]);
        }
    }

    @Test
    void a_graph_runs_what_its_edges_let_through() throws RuleFault {
        String graph =
                "'nodes':[{'id':'in','type':'input','config':{'source':'comsrv:1:T','field':'101'}},"
                    + "{'id':'hot','type':'condition','config':{'operator':'>','value':70}},"
                    + "{'id':'twice','type':'transform','config':{'type':'scale','factor':2}},"
                    + "{'id':'all','type':'aggregate','config':{'function':'max','inputs':['in','twice']}},"
                    + "{'id':'yes','type':'action','config':{'type':'set_value','target':'rulesrv:value:y','value':'$twice'}},"
                    + "{'id':'no','type':'action','config':{'type':'log','message':'no'}}],"
                    + "'edges':[{'from':'in','to':'hot'},{'from':'in','to':'twice'},{'from':'twice','to':'all'},{'from':'hot','to':'yes','condition':'true'},{'from':'all','to':'yes','condition':'$all"
                    + " > 100'},{'from':'hot','to':'no','condition':'false'}]";
        Sight sight = sight(Memory.empty(), NOW);
        Rule.Verdict verdict = rule(graph).look(sight);
        assertThat(verdict.met()).isTrue();
        assertThat(sight.path()).containsExactly("in", "hot", "twice", "all", "yes");
        assertThat(verdict.planned()).extracting(Action.Planned::value).containsExactly("160");
        values.put("comsrv:1:T:101", "10");
        Sight cold = sight(Memory.empty(), NOW);
        assertThat(rule(graph).look(cold).planned())
                .extracting(each -> each.action().kind())
                .containsExactly(Action.Kind.LOG);
        assertThat(cold.path()).containsExactly("in", "hot", "twice", "all", "no");
        assertThat(cold.trace().toString()).contains("\"state\":\"skipped\"", "hot is false");
    }

    @Test
    void a_walk_goes_along_its_wires() throws RuleFault {
        String walk =
                "'nodes':[{'id':'s','type':'start','wires':['sw']},"
                    + "{'id':'sw','type':'switch','config':{'branches':[{'port':'high','conditions':[{'source':'comsrv:1:T:101','operator':'>','value':90},'||',{'source':'comsrv:1:S:5','operator':'==','value':1},'&&',{'source':'comsrv:1:T:101','operator':'<','value':50}]},{'port':'low','expression':'$t"
                    + " < 85'}]},'wires':{'high':['e'],'low':['c']}},{'id':'c','type':'calculation','config':{'calculations':[{'output':'x','formula':'$t"
                    + " * 2'}]},'wires':['set']},"
                    + "{'id':'set','type':'change_value','config':{'rule':[{'target':'rulesrv:value:z','value':'$x'}]},'wires':['e']},"
                    + "{'id':'e','type':'end'}],'inputs':{'t':'comsrv:1:T:101'}";
        Sight sight = sight(Memory.empty(), NOW);
        Rule.Verdict verdict = rule(walk).look(sight);
        assertThat(sight.path()).containsExactly("s", "sw", "c", "set", "e");
        assertThat(verdict.planned()).extracting(Action.Planned::value).containsExactly("160");
        values.put("comsrv:1:T:101", "88");
        assertThat(rule(walk).look(sight(Memory.empty(), NOW)).error()).isEqualTo("NO_BRANCH");
        String round =
                "'nodes':[{'id':'s','type':'start','wires':['a']},{'id':'a','type':'calculation','config':{'formula':'1'},'wires':['b']},"
                    + "{'id':'b','type':'calculation','config':{'formula':'2'},'wires':['a']}]";
        assertThat(rule(round).look(sight(Memory.empty(), NOW)).error())
                .isEqualTo("TOO_MANY_STEPS");
    }

    @Test
    void dividing_by_zero_fails_the_run() throws RuleFault {
        Rule rule =
                rule(
                        "'nodes':[{'id':'c','type':'transform','config':{'operation':'calculate','a':1,'b':0,'operator':'/'}},{'id':'a','type':'action','config':{'type':'log'}}],'edges':[{'from':'c','to':'a'}]");
        Rule.Verdict verdict = rule.look(sight(Memory.empty(), NOW));
        assertThat(verdict.met()).isFalse();
        assertThat(verdict.error()).contains("divided by zero");
    }

    /** What is not a rule | its code | the member at fault. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'name':'x'|INVALID_CONDITION|condition",
                "'condition':5|INVALID_CONDITION|condition",
                "'condition':{'source':'comsrv:1:T:101','operator':'~=','value':1}|INVALID_CONDITION|condition.operator",
                "'condition':{'source':'comsrv:1:T:101','operator':'>'}|INVALID_CONDITION|condition.value",
                "'condition':{'source':'comsrv:1:Q:101','operator':'>','value':1}|INVALID_CONDITION|condition.source",
                "'condition':{'source':'comsrv:99999:T:1','operator':'>','value':1}|INVALID_CONDITION|condition.source",
                "'condition':{'source':'comsrv:1:T:101','operator':'regex','value':'('}|INVALID_CONDITION|condition.value",
                "'condition':{'source':'comsrv:1:T:101','operator':'>','value':1,'duration':-1}|INVALID_CONDITION|condition.duration",
                "'condition':'a >'|INVALID_CONDITION|condition",
                "'condition':'a > 1 b'|INVALID_CONDITION|condition",
                "'condition':'System.exit(1)'|INVALID_CONDITION|condition",
                "'condition':'[1,2].all(x, x > 1)'|INVALID_CONDITION|condition",
                "'condition':'abs(1, 2)'|INVALID_CONDITION|condition",
                "'condition':'true','actions':[]|INVALID_ACTION|actions",
                "'condition':'true','actions':[{'type':'dance'}]|INVALID_ACTION|actions[0].type",
                "'condition':'true','actions':[{'type':'set_value','target':'alarm:x','value':1}]|INVALID_ACTION|actions[0].target",
                "'condition':'true','actions':[{'type':'set_value','target':'config:system','value':1}]|INVALID_ACTION|actions[0].target",
                "'condition':'true','actions':[{'type':'set_value','target':'rule:x','value':1}]|INVALID_ACTION|actions[0].target",
                "'condition':'true','actions':[{'type':'set_value','target':'comsrv:1:T:1'}]|INVALID_ACTION|actions[0].value",
                "'condition':'true','actions':[{'type':'set_value','target':'comsrv:1:T:1','value':'1"
                    + " +'}]|INVALID_ACTION|actions[0].value",
                "'condition':'true','actions':[{'type':'control','channel_id':1,'point_id':'x','value':1}]|INVALID_ACTION|actions[0].point_id",
                "'condition':'true','actions':[{'type':'event','event_type':'audit'}]|INVALID_ACTION|actions[0].event_type",
                "'condition':'true','trigger':{'type':'cron','expression':'x'}|VALIDATION_ERROR|trigger.expression",
                "'condition':'true','trigger':{'type':'moon'}|VALIDATION_ERROR|trigger.type",
                "'condition':'true','trigger':{'type':'interval','seconds':0}|VALIDATION_ERROR|trigger.seconds",
                "'condition':'true','cooldown':-1|VALIDATION_ERROR|cooldown",
                "'condition':'true','trigger_mode':'both'|VALIDATION_ERROR|trigger_mode",
                "'nodes':[]|INVALID_CONDITION|nodes",
                "'nodes':[{'id':'a','type':'x'}]|INVALID_CONDITION|nodes[0].type",
                "'nodes':[{'id':'a','type':'start'},{'id':'a','type':'end'}]|INVALID_CONDITION|nodes[1].id",
                "'nodes':[{'id':'a','type':'start'},{'id':'b','type':'end'}],'edges':[{'from':'a','to':'b'},{'from':'b','to':'a'}]|RULE_CYCLE|edges",
                "'nodes':[{'id':'a','type':'start'}],'edges':[{'from':'a','to':'b'}]|INVALID_CONDITION|edges"
            })
    void what_is_not_a_rule_is_refused_with_the_member_at_fault(
            String members, String code, String member) {
        assertThatThrownBy(() -> rule(members))
                .isInstanceOfSatisfying(
                        RuleFault.class,
                        fault -> {
                            assertThat(fault.code().name()).isEqualTo(code);
                            assertThat(fault.member()).isEqualTo(member);
                        });
    }

    @Test
    void what_is_too_deep_or_too_long_is_refused() {
        String deep = "{'conditions':[".repeat(17) + "]}".repeat(17);
        for (String members :
                List.of(
                        "'conditions':{'conditions':[" + deep + "]}",
                        "'condition':'" + "(".repeat(100) + "1" + ")".repeat(100) + "'",
                        "'condition':'" + "1 + ".repeat(2000) + "1'",
                        "'condition':'" + "!".repeat(100) + "true'")) {
            assertThatThrownBy(() -> rule(members)).isInstanceOf(RuleFault.class);
        }
    }

    @Test
    void a_pattern_that_takes_others_for_ever_takes_no_time_here() throws RuleFault {
        values.put("comsrv:1:T:101", "a".repeat(5000) + "!");
        assertThat(met(test("regex", "'^(a+)+$'"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'interval'|10", "{'type':'interval','seconds':30}|30",
                        "{'type':'cron','expression':'*/5 * * * *'}|300",
                "{'type':'cron','expression':'*/15 * * * * *'}|15", "{'type':'manual'}|-1",
                        "{'type':'data_change'}|-1"
            })
    void it_is_known_when_a_rule_looks_by_itself(String trigger, long seconds) throws RuleFault {
        Trigger read = rule("'condition':'true','trigger':" + trigger).trigger();
        long midnight = 1_754_524_800_000L;
        assertThat(read.next(midnight, ZONE).map(at -> (at - midnight) / 1000).orElse(-1L))
                .isEqualTo(seconds);
    }
}
