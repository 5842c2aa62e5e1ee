package dev.millrace.hub.rules.running;

import dev.millrace.hub.rules.logic.Sight;
import dev.millrace.hub.rules.logic.SourceRef;
import dev.millrace.hub.telemetry.Points;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The present values of what rules look at, as the feed has told them: asked for once, and from
 * then on brought up to date by what is written. Of the thread that runs rules alone.
 */
final class Present implements Sight.Values {
    private final Function<SourceRef, Optional<String>> stored;

    /** The empty text stands for none. */
    private final Map<SourceRef, String> known = new HashMap<>();

    /**
     * None is known yet.
     *
     * @param stored what a value is before the first is heard
     */
    Present(Function<SourceRef, Optional<String>> stored) {
        this.stored = stored;
    }

    static Present of(Points points) {
        return new Present(
                source ->
                        points.present(source.key(), source.field())
                                .map(present -> present.value().text()));
    }

    @Override
    public @Nullable String value(SourceRef source) {
        String value = known.computeIfAbsent(source, none -> stored.apply(none).orElse(""));
        return value.isEmpty() ? null : value;
    }

    boolean knows(SourceRef source) {
        return known.containsKey(source);
    }

    /** Takes a new value; whether it is another one. */
    boolean heard(SourceRef source, String value) {
        return !value.equals(known.put(source, value));
    }

    /** Forgets what nobody looks at any more. */
    void keepOnly(Set<SourceRef> wanted) {
        known.keySet().retainAll(wanted);
    }

    /** One that knows nothing yet. */
    Present anew() {
        return new Present(stored);
    }

    void forgetAll() {
        known.clear();
    }
}
