package dev.millrace.hub.why;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a room knows of chains, from its own records. Every answer is bounded work. All of them
 * throw a {@code RedisException} while Redis cannot be used. Thread-safe.
 */
public interface Links {
    /**
     * Some parts.
     *
     * @param all whether none was left out because there were too many
     */
    record Some(List<Part> parts, boolean all) {
        public static final Some NONE = new Some(List.of(), true);

        public Some {
            parts = List.copyOf(parts);
        }

        public static Some of(List<Part> parts) {
            return new Some(parts, true);
        }
    }

    /** The part with this id, if it is of a kind that this room records. */
    Optional<Part> find(Kind kind, String id);

    /** What a cause has led to directly. */
    Some startedBy(Part cause);

    /** What a part has led to directly. */
    Some after(Part part);

    /** Of a room that is not started yet, and knows of nothing until then. */
    static Links later(Supplier<? extends @Nullable Links> links) {
        return new Links() {
            @Override
            public Optional<Part> find(Kind kind, String id) {
                Links known = links.get();
                return known == null ? Optional.empty() : known.find(kind, id);
            }

            @Override
            public Some startedBy(Part cause) {
                Links known = links.get();
                return known == null ? Some.NONE : known.startedBy(cause);
            }

            @Override
            public Some after(Part part) {
                Links known = links.get();
                return known == null ? Some.NONE : known.after(part);
            }
        };
    }
}
