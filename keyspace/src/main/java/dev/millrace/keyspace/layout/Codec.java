package dev.millrace.keyspace.layout;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/** How an entity becomes a value in Redis and back. Decoding may throw anything unchecked. */
public sealed interface Codec<E> {

    /**
     * The JSON of a record, as {@link Layout#json} makes it: for codecs that have a shorter way.
     */
    static <E> Text<E> ofRecord(Class<E> type) {
        return new RecordJson<>(type);
    }

    /** A string, nearly always JSON. */
    non-sealed interface Text<E> extends Codec<E> {
        /**
         * The bytes of the entity.
         *
         * @param before the value that is replaced, or null; members of it that the entity does not
         *     know are to be kept
         */
        byte[] encode(E entity, byte @Nullable [] before);

        E decode(byte[] value);

        /** The same for codecs that need the key: where a value may say less than its key. */
        default E decode(String key, byte[] value) {
            return decode(value);
        }
    }

    /** A hash. Fields that are not declared are neither read nor touched. */
    non-sealed interface Fields<E> extends Codec<E> {
        /** The declared fields. */
        Set<String> names();

        Map<String, String> encode(E entity);

        /**
         * The entity of these fields, among which is what the key says: each of its variables by
         * name.
         */
        E decode(Map<String, String> fields);
    }
}
