package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.Parameter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Fifty clients want the same slug at the same moment. */
@OnEachSite
final class SameSlugTest {
    @Parameter Site site;

    private static final int CLIENTS = 50;

    String url() {
        return site.url();
    }

    private static List<Integer> race(TestHub hub, String path, String body) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CLIENTS);
        List<Callable<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(
                    () -> {
                        start.await();
                        return hub.send("POST", path, body).status();
                    });
        }
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : each.invokeAll(clients)) {
                statuses.add(status.get());
            }
        }
        return statuses;
    }

    @RepeatedTest(3)
    void exactly_one_gets_it() throws Exception {
        String url = url();
        SharedServers.flushAll();
        try (TestHub hub = TestHub.start(url)) {
            List<Integer> notifications =
                    race(hub, "/api/v1/notification", Samples.json("a", "NORMAL"));
            assertThat(notifications).containsOnlyOnce(202).containsOnly(202, 409);
            List<Integer> subscriptions = race(hub, "/api/v1/subscription", "{\"slug\":\"a\"}");
            assertThat(subscriptions).containsOnlyOnce(201).containsOnly(201, 409);
            assertThat(hub.get("/api/v1/notification/start/0/0").json()).hasSize(1);
            assertThat(hub.get("/api/v1/subscription").json()).hasSize(1);
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }
}
