package dev.millrace.bench.race;

/**
 * One way of doing the thing that is measured.
 *
 * @param name a letter or two, for the tables
 * @param about what it is, in a few words
 */
public record Contestant(String name, String about, Work work) {

    /** One operation, whole: it returns when it is known to be done. */
    @FunctionalInterface
    public interface Work {
        /**
         * Called by many threads at once.
         *
         * @param thread the number of the calling thread, from 0
         */
        void once(int thread) throws Exception;
    }
}
