package dev.millrace.hub.cli;

import dev.millrace.hub.Hub;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** {@code version}: which Millrace this is. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        System.out.println("millrace " + Hub.version());
        return 0;
    }
}
