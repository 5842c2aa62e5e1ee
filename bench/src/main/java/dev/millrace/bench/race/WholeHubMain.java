package dev.millrace.bench.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.cli.Main;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;

/**
 * The program as an operator starts it, with somebody who listens beside it: a line {@code memory}
 * on standard input makes it say {@code memory BYTES}, of its heap after cleaning up; and it stops
 * when its standard input ends, so that it does not outlive its benchmark.
 */
public final class WholeHubMain {
    private WholeHubMain() {}

    /** Takes what the program takes, and ends the process as it does. */
    public static void main(String[] args) {
        Thread.ofPlatform().daemon().name("bench").start(WholeHubMain::listen);
        Main.main(args);
    }

    private static void listen() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try {
            while (in.readLine() != null) {
                System.gc();
                System.out.println(
                        "memory "
                                + ManagementFactory.getMemoryMXBean()
                                        .getHeapMemoryUsage()
                                        .getUsed());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.exit(0);
    }
}
