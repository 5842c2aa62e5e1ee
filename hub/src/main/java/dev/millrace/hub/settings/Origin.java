package dev.millrace.hub.settings;

/** Where a value came from; as text, what a person reads. */
public sealed interface Origin {

    /** Nobody said anything. */
    record Standard() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    record File(String name, int line) implements Origin {
        @Override
        public String toString() {
            return name + ":" + line;
        }
    }

    record Variable(String name) implements Origin {
        @Override
        public String toString() {
            return name;
        }
    }

    /** {@code --set}. */
    record Flag() implements Origin {
        @Override
        public String toString() {
            return "--set";
        }
    }

    /** How a sentence about a value of this origin begins. */
    default String head(Key<?> key) {
        return switch (this) {
            case Standard standard -> key.name();
            case File file -> file + ": " + key.name();
            case Variable(String name) -> name;
            case Flag flag -> "--set " + key.name();
        };
    }
}
