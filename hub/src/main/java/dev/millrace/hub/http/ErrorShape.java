package dev.millrace.hub.http;

/** How the clients of one API expect to be told that something is wrong. */
@FunctionalInterface
public interface ErrorShape {
    /** Where no other system's clients expect another. */
    ErrorShape OURS = new ProblemJson();

    /**
     * The answer; {@link Problem#headers} are added to it by the caller.
     *
     * @param path as it was asked for, decoded
     * @param requestId under which the log knows this request
     */
    Answer of(Problem problem, String path, String requestId);
}
