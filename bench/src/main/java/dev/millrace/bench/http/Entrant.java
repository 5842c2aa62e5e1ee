package dev.millrace.bench.http;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One way of answering.
 *
 * @param name a letter or two, for the tables
 * @param about what it is, in a few words
 * @param prefix before the path of each workload: one server may have several ways
 */
record Entrant(
        String name, String about, ServerMain.Kind server, String prefix, Set<Workload> workloads) {
    static final String PROMPT = "/prompt";
    static final String SCRIPT = "/script";

    static final List<Entrant> ALL =
            List.of(
                    of("a", "the hub's web server, blocking", ServerMain.Kind.MILLRACE, ""),
                    of("a2", "the same, with futures", ServerMain.Kind.MILLRACE, PROMPT),
                    of("b", "Netty alone", ServerMain.Kind.NETTY, ""),
                    of("c", "Spring Boot; stores with MULTI", ServerMain.Kind.SPRING, ""),
                    new Entrant(
                            "c2",
                            "Spring Boot; stores with a script",
                            ServerMain.Kind.SPRING,
                            SCRIPT,
                            EnumSet.of(Workload.COMMIT)));

    private static Entrant of(String name, String about, ServerMain.Kind server, String prefix) {
        return new Entrant(name, about, server, prefix, EnumSet.allOf(Workload.class));
    }
}
