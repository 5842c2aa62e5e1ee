package dev.millrace.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command's voice: results on standard output, everything else on standard error. */
public final class Out {
    private final PrintStream results;
    private final PrintStream rest;

    Out(PrintStream results, PrintStream rest) {
        this.results = results;
        this.rest = rest;
    }

    /** In UTF-8 whatever the terminal says: the tables have a µ. */
    static Out standard() {
        return new Out(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8));
    }

    public void result(String text) {
        results.println(text);
    }

    public void say(String line) {
        rest.println(line);
    }
}
