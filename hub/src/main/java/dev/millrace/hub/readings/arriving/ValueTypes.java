package dev.millrace.hub.readings.arriving;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The value types that readings may name, in the one spelling they are stored in. */
final class ValueTypes {
    static final String BINARY = "Binary";
    private static final Map<String, String> SPELLING = spelling();

    private ValueTypes() {}

    private static Map<String, String> spelling() {
        Map<String, String> all = new HashMap<>();
        List<String> plain =
                List.of(
                        "Bool", "String", "Uint8", "Uint16", "Uint32", "Uint64", "Int8", "Int16",
                        "Int32", "Int64", "Float32", "Float64");
        for (String type : plain) {
            all.put(type.toLowerCase(Locale.ROOT), type);
            all.put(type.toLowerCase(Locale.ROOT) + "array", type + "Array");
        }
        all.put("binary", BINARY);
        return Map.copyOf(all);
    }

    /** {@code INT8} is {@code Int8}; what is no known type stays as it is. */
    static String spelled(String type) {
        return type.isEmpty() ? type : SPELLING.getOrDefault(type.toLowerCase(Locale.ROOT), type);
    }

    static boolean isFloat(String type) {
        return type.equals("Float32") || type.equals("Float64");
    }
}
