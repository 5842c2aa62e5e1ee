package dev.millrace.hub.house;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Values;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The settings of all rooms, each read once. */
public record Chosen(Map<Block<?>, Object> records) {
    public Chosen {
        records = Map.copyOf(records);
    }

    /** Reads them; meant to be used only if the values have no problems afterwards. */
    public static Chosen read(Collection<Block<?>> blocks, Values values) {
        Map<Block<?>, Object> records = new HashMap<>();
        for (Block<?> block : blocks) {
            records.put(block, block.read(values));
        }
        return new Chosen(records);
    }

    @SuppressWarnings("unchecked") // It was read by this block.
    public <S> S of(Block<S> block) {
        Object found = records.get(block);
        if (found == null) {
            throw new IllegalArgumentException("No room has these settings: " + block);
        }
        return (S) found;
    }
}
