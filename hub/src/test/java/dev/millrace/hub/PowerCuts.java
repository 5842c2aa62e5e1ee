package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.SyncWatch;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Assumptions;

import java.util.Random;
import java.util.function.LongBinaryOperator;

/**
 * Ends a server as a power cut does: of what it had written to its append-only file, that is left
 * which was synced, and of the rest nothing, some or all. Then it is started again.
 */
final class PowerCuts {
    private final TestServer server;
    private final Random random = new Random();
    private SyncWatch watch;
    private int count;
    private long bytesCut;

    PowerCuts(TestServer server) {
        this.server = server;
        this.watch = watch(server);
    }

    private static SyncWatch watch(TestServer server) {
        try {
            return SyncWatch.of(server.pid(), server.directory().resolve("appendonlydir"));
        } catch (SyncWatch.RefusedException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    /**
     * Somebody must be writing. The first two cuts are the hardest: in a sync, with nothing left.
     */
    void cut() {
        boolean hardest = count++ < 2;
        watch.surviving(hardest ? (synced, length) -> synced : survivors());
        if (hardest || random.nextBoolean()) {
            watch.killInSync();
        } else {
            server.kill();
        }
        bytesCut += watch.awaitEnd();
        server.restart();
        watch = watch(server);
    }

    private LongBinaryOperator survivors() {
        return switch (random.nextInt(3)) {
            case 0 -> (synced, length) -> synced;
            // In the middle of a write as well as between two.
            case 1 -> (synced, length) -> random.nextLong(synced, length + 1);
            default -> (synced, length) -> length;
        };
    }

    /** That there was something to lose. */
    void tookSomethingAlong() {
        assertThat(bytesCut).isPositive();
    }

    @Override
    public String toString() {
        return "cuts=%d bytes-cut=%d".formatted(count, bytesCut);
    }
}
