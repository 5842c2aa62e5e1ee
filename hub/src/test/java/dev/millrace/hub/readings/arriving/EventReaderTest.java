package dev.millrace.hub.readings.arriving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.Checksum;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.cbor.CBORMapper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the reference's decoder takes, this one takes, and nothing else. */
class EventReaderTest {

    private static NewEvent read(String json) {
        return Bodies.event(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Reading reading(String json) {
        return Bodies.reading(json.getBytes(StandardCharsets.UTF_8)).reading();
    }

    private static void refused(String json, String why) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> {
                            assertThat(refused.why()).isInstanceOf(Refused.Invalid.class);
                            assertThat(refused.why().sentence()).contains(why);
                        });
    }

    @Test
    void names_are_read_in_any_case_and_what_is_unknown_is_skipped() {
        NewEvent sent =
                read(
                        """
                        {"_id":{"deep":[1,{"id":"no"}]},"DEVICE":"pump","Pushed":3,"cReAtEd":4,
                         "modified":5,"Origin":1590508601358048800,"Tags":{"Floor":"2"},
                         "Readings":[{"NAME":"power","VALUE":"1","valuetype":"int8","x":[[]]}]}
                        """);
        assertThat(sent.event())
                .isEqualTo(
                        new Event(
                                "",
                                "",
                                3,
                                "pump",
                                4,
                                5,
                                1590508601358048800L,
                                Map.of("Floor", "2")));
        assertThat(sent.readings()).hasSize(1);
        assertThat(sent.readings().getFirst().reading().name()).isEqualTo("power");
        assertThat(sent.readings().getFirst().reading().valueType()).isEqualTo("Int8");
    }

    @Test
    void null_is_absent_and_what_follows_the_first_value_is_ignored() {
        NewEvent sent =
                read(
                        "{\"device\":\"pump\",\"id\":null,\"pushed\":null,\"readings\":null,"
                                + "\"tags\":null} and this");
        assertThat(sent.event().id()).isEmpty();
        assertThat(sent.readings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{};needs a device",
                "{'device':''};needs a device",
                "{'device':1};must be text",
                "{'device':['pump']};must be text",
                "{'device':true};must be text",
                "{'device':'p','created':'5'};must be a whole number",
                "{'device':'p','created':1.5};must be a whole number",
                "{'device':'p','created':1.0};must be a whole number",
                "{'device':'p','origin':9223372036854775808};out of range",
                "{'device':'p','readings':{}};must be a list",
                "{'device':'p','readings':[null]};must be an object",
                "{'device':'p','readings':[[]]};must be an object",
                "{'device':'p','readings':[{}]};needs a name",
                "{'device':'p','readings':[{'name':'a'}]};needs a value",
                "{'device':'p','readings':[{'name':'a','value':''}]};needs a value",
                "{'device':'p','readings':[{'name':'a','value':5}]};must be text",
                "{'device':'p','readings':[{'name':'a','value':'1','valueType':'float32'}]};floatEncoding",
                "{'device':'p','readings':[{'name':'a','valueType':'Binary','binaryValue':'AAEC'}]};mediaType",
                "{'device':'p','readings':[{'name':'a','valueType':'Binary','binaryValue':'*'}]};base64",
                "{'device':'p','readings':[{'name':'a','value':'1'};expected",
                "{'device':'p','tags':{'a':1}};must be text",
                "{'device':'p','tags':[]};must be an object",
                "[];must be an object",
                "5;must be an object",
                "null;must be an object",
                "{'device':'p';expected",
                "nonsense;not valid JSON"
            })
    void what_is_wrong_is_told(String json, String why) {
        refused(json.replace('\'', '"'), why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   "})
    void nothing_is_told_too(String json) {
        refused(json, "empty");
    }

    @ParameterizedTest
    @CsvSource({
        "INT8, Int8",
        "float32array, Float32Array",
        "bool, Bool",
        "UINT64ARRAY, Uint64Array",
        "string, String",
        "Colour, Colour",
        "binaryArray, binaryArray"
    })
    void the_spelling_of_value_types_is_one(String sent, String stored) {
        assertThat(EventReader.spelled(sent)).isEqualTo(stored);
    }

    @Test
    void a_binary_reading_needs_no_value() {
        Reading binary =
                reading(
                        "{\"name\":\"photo\",\"valueType\":\"BINARY\",\"binaryValue\":\"AAEC\","
                                + "\"mediaType\":\"image/png\"}");
        assertThat(binary.valueType()).isEqualTo("Binary");
        assertThat(binary.value()).isEmpty();
    }

    @Test
    void cbor_is_read_by_the_same_rules() {
        CBORMapper cbor = new CBORMapper();
        JsonNode tree =
                EdgexJson.MAPPER.readTree(
                        """
                        {"Device":"pump","origin":-7,"readings":[
                          {"name":"photo","valueType":"Binary","mediaType":"image/png"}]}
                        """);
        ((ObjectNode) tree.at("/readings/0")).put("binaryValue", new byte[] {0, 1, 2});
        NewEvent sent = Bodies.cborEvent(cbor.writeValueAsBytes(tree));
        assertThat(sent.event().origin()).isEqualTo(-7);
        assertThat(sent.readings().getFirst().binaryValue()).isEqualTo("AAEC");
        assertThatThrownBy(
                        () ->
                                Bodies.cborEvent(
                                        cbor.writeValueAsBytes(
                                                EdgexJson.MAPPER.readTree("{\"device\":7}"))))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> Bodies.cborEvent(new byte[] {(byte) 0xA1, 0x61}))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> Bodies.cborEvent(new byte[0]))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void the_same_reader_takes_one_event_after_another() {
        List<String> devices = new ArrayList<>();
        try (JsonParser parser =
                EdgexJson.MAPPER.createParser("[{\"device\":\"a\"},{\"device\":\"b\",\"x\":{}}]")) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                devices.add(EventReader.next(parser).event().device());
            }
        }
        assertThat(devices).containsExactly("a", "b");
    }

    @Test
    void checksums_are_those_of_the_reference() {
        byte[] body = "a".getBytes(StandardCharsets.UTF_8);
        assertThat(Checksum.XXHASH.of(body)).isEqualTo("d24ec4f1a98c6e5b");
        assertThat(Checksum.MD5.of(body)).isEqualTo("0cc175b9c0f1b6a831c399e269772661");
    }
}
