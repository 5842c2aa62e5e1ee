package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Several admins want a backup at the same moment. */
class BackupRaceTest {
    private static final int ROUNDS = 20;
    private static final int ADMINS = 8;

    @Test
    void whoever_is_not_the_first_is_told_to_come_again() throws Exception {
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(SharedServers.standalone())) {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch go = new CountDownLatch(1);
                List<CompletableFuture<Reply>> all = new ArrayList<>();
                for (int admin = 0; admin < ADMINS; admin++) {
                    all.add(
                            CompletableFuture.supplyAsync(
                                    () -> {
                                        await(go);
                                        return hub.send("POST", "/ops/backup", "");
                                    },
                                    Thread::startVirtualThread));
                }
                go.countDown();
                for (CompletableFuture<Reply> each : all) {
                    Reply reply = each.join();
                    assertThat(reply.status()).as(reply.body()).isIn(200, 409);
                    if (reply.status() == 409) {
                        assertThat(reply.header("retry-after")).isEqualTo("30");
                        assertThat(reply.json().get("detail").asString())
                                .isEqualTo("Another backup is being made.");
                    }
                }
            }
        }
    }

    private static void await(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
