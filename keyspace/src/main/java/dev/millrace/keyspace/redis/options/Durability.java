package dev.millrace.keyspace.redis.options;

/** What an acknowledgement means: what has to be lost before an acknowledged write is lost. */
public sealed interface Durability {

    /** It is in the server's memory; the append-only file follows within about a second. */
    record Memory() implements Durability {
        @Override
        public String toString() {
            return "memory";
        }
    }

    /** It is on the server's disk. Needs {@code appendfsync always}, and is refused without it. */
    record Fsync() implements Durability {
        @Override
        public String toString() {
            return "fsync";
        }
    }

    /**
     * It is in the memory of so many replicas too. Where they do not confirm it in time, the
     * outcome is {@code Outcome.Unconfirmed}.
     */
    record Replicas(int count) implements Durability {
        public Replicas {
            if (count < 1 || count > 9) {
                throw new IllegalArgumentException(
                        "Between 1 and 9 replicas may be waited for, not " + count + ".");
            }
        }

        @Override
        public String toString() {
            return "replicas:" + count;
        }
    }

    /** How many replicas have to confirm a write. */
    default int replicas() {
        return this instanceof Replicas(int count) ? count : 0;
    }

    /**
     * Reads {@code memory}, {@code fsync} or {@code replicas:1}.
     *
     * @throws IllegalArgumentException with a sentence that says what is allowed
     */
    static Durability of(String text) {
        if (text.equals("memory")) {
            return new Memory();
        }
        if (text.equals("fsync")) {
            return new Fsync();
        }
        if (text.matches("replicas:[1-9]")) {
            return new Replicas(text.charAt(text.length() - 1) - '0');
        }
        throw new IllegalArgumentException(
                "'"
                        + text
                        + "' is not a valid durability; write memory, fsync or replicas:1 to"
                        + " replicas:9.");
    }
}
