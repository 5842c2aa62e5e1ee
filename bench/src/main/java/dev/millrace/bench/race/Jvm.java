package dev.millrace.bench.race;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own for a part of a race, with the launcher's flags and our class path. */
public final class Jvm {
    private Jvm() {}

    /** The command that runs a class. */
    public static List<String> command(String mainClass, List<String> flags, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseCompactObjectHeaders");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(args);
        return command;
    }
}
