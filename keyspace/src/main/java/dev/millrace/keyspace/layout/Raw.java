package dev.millrace.keyspace.layout;

import java.util.Arrays;
import java.util.Map;

/** A value as it lies in Redis; a replace or delete compares it inside its commit. */
public sealed interface Raw {

    /** The bytes of a string. */
    record Text(byte[] bytes) implements Raw {
        @Override
        public boolean equals(Object other) {
            return other instanceof Text that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** The fields of a hash, also those that the layout does not declare. */
    record Fields(Map<String, String> fields) implements Raw {
        public Fields {
            fields = Map.copyOf(fields);
        }
    }
}
