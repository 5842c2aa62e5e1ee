package dev.millrace.hub.rules.logic;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Members of JSON, or what is wrong with them. */
final class Fields {
    private static final int MOST = 1000;

    private Fields() {}

    static String text(ObjectNode object, String name, String member, String standard)
            throws RuleFault {
        JsonNode node = object.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return standard;
        }
        if (!node.isString() && !node.isNumber()) {
            throw RuleFault.general(member, "This must be a text.");
        }
        return node.asString();
    }

    static double number(ObjectNode object, String name, String member, double standard)
            throws RuleFault {
        JsonNode node = object.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return standard;
        }
        double number = node.isString() ? Numeric.of(node.asString()) : node.asDouble(Double.NaN);
        if (!Double.isFinite(number)) {
            throw RuleFault.general(member, "This must be a number.");
        }
        return number;
    }

    static boolean flag(ObjectNode object, String name, String member, boolean standard)
            throws RuleFault {
        JsonNode node = object.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return standard;
        }
        if (!node.isBoolean()) {
            throw RuleFault.general(member, "This must be true or false.");
        }
        return node.asBoolean();
    }

    static Set<String> texts(ObjectNode object, String name, String member) throws RuleFault {
        Set<String> texts = new LinkedHashSet<>();
        JsonNode list = object.path(name);
        if (list.isMissingNode() || list.isNull()) {
            return texts;
        }
        if (!list.isArray() || list.size() > MOST) {
            throw RuleFault.general(member, "This must be a list of texts.");
        }
        for (JsonNode each : list) {
            if (!each.isString() && !each.isNumber()) {
                throw RuleFault.general(member, "This must be a list of texts.");
            }
            texts.add(each.asString());
        }
        return texts;
    }

    /** The source that an object names, in two members or in one. */
    static SourceRef source(ObjectNode object, String member) throws RuleFault {
        return SourceRef.parse(
                object.path("source").asString(""),
                object.path("field").asString(""),
                member + ".source");
    }

    /** A value to compare with. */
    static Object value(JsonNode node, String member) throws RuleFault {
        if (node.isNumber()) {
            return node.asDouble();
        }
        if (node.isBoolean()) {
            return node.asBoolean();
        }
        if (node.isString()) {
            return node.asString();
        }
        throw RuleFault.condition(member, "A value is a number, a text, true or false.");
    }

    static List<Object> values(JsonNode list, String member) throws RuleFault {
        if (!list.isArray() || list.isEmpty() || list.size() > MOST) {
            throw RuleFault.condition(member, "This must be a list of values.");
        }
        List<Object> values = new ArrayList<>();
        for (JsonNode each : list) {
            values.add(value(each, member));
        }
        return values;
    }
}
