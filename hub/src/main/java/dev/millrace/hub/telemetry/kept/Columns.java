package dev.millrace.hub.telemetry.kept;

import org.jspecify.annotations.Nullable;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/** Two columns as a map, so that a write of many points needs no object for each of them. */
public final class Columns extends AbstractMap<String, String> {
    private final int size;
    private final IntFunction<String> fields;
    private final IntFunction<String> values;

    /** A field for each number below the size, all different. */
    public Columns(int size, IntFunction<String> fields, IntFunction<String> values) {
        this.size = size;
        this.fields = fields;
        this.values = values;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super String> action) {
        for (int i = 0; i < size; i++) {
            action.accept(fields.apply(i), values.apply(i));
        }
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        for (int i = 0; i < size; i++) {
            if (fields.apply(i).equals(key)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, String>> iterator() {
                return entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private Iterator<Map.Entry<String, String>> entries() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<String, String> next() {
                if (next == size) {
                    throw new NoSuchElementException();
                }
                int at = next++;
                return Map.entry(fields.apply(at), values.apply(at));
            }
        };
    }
}
