package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Document;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Map;

/**
 * A tree as the bytes that are stored: no blanks, characters as they are. Whole numbers keep all
 * their digits; a number with a fraction or an exponent is a double and is written as clients of
 * Brewblox know it: {@code 1e3} becomes {@code 1000.0}, {@code 1.10} becomes {@code 1.1}.
 */
final class CompactJson {
    /** From here on, and below {@link #SMALL}, with an exponent. */
    private static final double LARGE = 1e16;

    private static final double SMALL = 1e-4;

    private CompactJson() {}

    /** A document: its namespace first, its id second, then the others as they came. */
    static byte[] document(ObjectNode node) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Document.MAPPER.createGenerator(bytes)) {
            json.writeStartObject();
            write("namespace", node.path("namespace"), json);
            write("id", node.path("id"), json);
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                if (!member.getKey().equals("namespace") && !member.getKey().equals("id")) {
                    write(member.getKey(), member.getValue(), json);
                }
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(String name, JsonNode value, JsonGenerator json) {
        json.writeName(name);
        write(value, json);
    }

    private static void write(JsonNode node, JsonGenerator json) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                json.writeStartObject();
                for (Map.Entry<String, JsonNode> member : node.properties()) {
                    write(member.getKey(), member.getValue(), json);
                }
                json.writeEndObject();
            }
            case ARRAY -> {
                json.writeStartArray();
                for (JsonNode item : node) {
                    write(item, json);
                }
                json.writeEndArray();
            }
            case STRING -> json.writeString(node.stringValue());
            case NUMBER -> {
                if (node.isIntegralNumber() && node.canConvertToLong()) {
                    json.writeNumber(node.longValue());
                } else if (node.isIntegralNumber()) {
                    json.writeNumber(node.bigIntegerValue());
                } else {
                    json.writeNumber(text(node.doubleValue()));
                }
            }
            case BOOLEAN -> json.writeBoolean(node.booleanValue());
            case NULL, MISSING, BINARY, POJO -> json.writeNull();
        }
    }

    /** The shortest text that is this double again. */
    static String text(double number) {
        String text = Double.toString(number);
        int exponent = text.indexOf('E');
        if (exponent < 0) {
            return text;
        }
        double size = Math.abs(number);
        if (size >= SMALL && size < LARGE) {
            String plain = new BigDecimal(text).stripTrailingZeros().toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = text.substring(0, exponent);
        int power = Integer.parseInt(text.substring(exponent + 1));
        return "%se%s%02d"
                .formatted(
                        digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits,
                        power < 0 ? "-" : "+",
                        Math.abs(power));
    }
}
