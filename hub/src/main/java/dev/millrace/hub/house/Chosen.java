package dev.millrace.hub.house;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Values;

import java.util.Collection;
import java.util.IdentityHashMap;

/** The settings of all rooms, each read once. */
public final class Chosen {
    private final IdentityHashMap<Block<?>, Object> records = new IdentityHashMap<>();

    /** Reads them; meant to be used only if the values have no problems afterwards. */
    public Chosen(Collection<Block<?>> blocks, Values values) {
        for (Block<?> block : blocks) {
            records.put(block, block.read(values));
        }
    }

    @SuppressWarnings("unchecked") // The constructor puts in what a block reads.
    public <S> S of(Block<S> block) {
        Object found = records.get(block);
        if (found == null) {
            throw new IllegalArgumentException("No room has these settings: " + block);
        }
        return (S) found;
    }
}
