package dev.millrace.hub;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** {@code version}: which Millrace this is. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {

    /** As the jar says; classes that do not come from one are somebody's work in progress. */
    static String version() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? "in development" : version;
    }

    @Override
    public Integer call() {
        System.out.println("millrace " + version());
        return 0;
    }
}
