package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.keyspace.testing.ChildJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * A hub in a process of its own that holds channel 1, and stands still when it has come to a step:
 * {@code queued}, {@code taken}, {@code sent}, {@code answered} or {@code recorded}. Its device
 * tells each order as news, which no kill takes back.
 */
final class CommandChild {
    private CommandChild() {}

    /** With the address of Redis and the step. */
    public static void main(String[] arguments) throws IOException {
        String step = arguments[1];
        CommandHub hub =
                new CommandHub(
                        arguments[0],
                        CommandHub.SETTINGS,
                        Clock.systemUTC(),
                        (after, commit) -> {
                            if (after.ended()) {
                                at("answered", step);
                            }
                        });
        at("queued", step);
        TestDevice device = hub.prepared(1);
        device.entering(() -> at("taken", step));
        device.answering(
                order -> {
                    ChildJvm.news(order);
                    at("sent", step);
                    return answer();
                });
        hub.desk.holding().begin(device);
        // Whoever told it to stand still at no other step waits for the end, and kills it then.
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            in.readLine();
        }
    }

    private static Ordered answer() {
        return TestDevice.done();
    }

    private static void at(String here, String step) {
        if (here.equals(step)) {
            ChildJvm.news("at " + step);
            while (true) {
                LockSupport.park();
            }
        }
    }
}
