package dev.millrace.keyspace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The fixture is a cluster that moves slots and fails over when told. */
class TestClusterTest {

    @Test
    void keys_go_to_their_thirds() {
        TestCluster cluster = SharedServers.cluster();
        SharedServers.flushAll();
        assertThat(cluster.nodes()).hasSize(3);
        assertThat(cluster.url()).startsWith("redis-cluster://127.0.0.1:").contains(",");
        for (int i = 0; i < 300; i++) {
            cluster.commandFor("key:" + i, "SET", "key:" + i, "" + i);
        }
        long total = 0;
        for (int node = 0; node < 3; node++) {
            assertThat(cluster.primary(node)).isSameAs(cluster.node(node));
            long size = (Long) cluster.command(node, "DBSIZE");
            assertThat(size).isBetween(1L, 299L);
            total += size;
        }
        assertThat(total).isEqualTo(300);
        assertThat(cluster.slotOf("{user}:1")).isEqualTo(cluster.slotOf("user"));
        cluster.flushAll();
        assertThat(cluster.command(0, "DBSIZE")).isEqualTo(0L);
    }

    @Test
    void a_slot_moves_key_by_key_and_back() {
        TestCluster cluster = SharedServers.cluster();
        SharedServers.flushAll();
        int slot = cluster.slotOf("{tag}");
        TestServer from = cluster.slotOwner(slot);
        TestServer to =
                cluster.nodes().stream().filter(node -> node != from).findFirst().orElseThrow();
        cluster.commandFor("{tag}", "SET", "{tag}1", "one");
        cluster.commandFor("{tag}", "SET", "{tag}2", "two");

        cluster.migrateSlotStart(slot, from, to);
        assertThat(cluster.migrateKeys(slot, from, to, 1)).isEqualTo(1);
        // Half of it is here, half is there, and a key that is nowhere is asked for there.
        assertThat(cluster.commandFor("{tag}", "GET", "{tag}1")).isEqualTo("one");
        assertThat(cluster.commandFor("{tag}", "GET", "{tag}2")).isEqualTo("two");
        assertThatThrownBy(() -> from.command("GET", "{tag}3")).hasMessageStartingWith("ASK ");
        assertThatThrownBy(() -> from.command("MGET", "{tag}1", "{tag}2"))
                .hasMessageStartingWith("TRYAGAIN");
        assertThat(cluster.slotOwner(slot)).isSameAs(from);
        assertThat(cluster.migrateKeys(slot, from, to, 10)).isEqualTo(1);
        assertThat(cluster.migrateKeys(slot, from, to, 10)).isZero();
        cluster.migrateSlotFinish(slot, from, to);

        assertThat(cluster.slotOwner(slot)).isSameAs(to);
        assertThatThrownBy(() -> from.command("GET", "{tag}1")).hasMessageStartingWith("MOVED ");
        assertThat(cluster.commandFor("{tag}", "GET", "{tag}1")).isEqualTo("one");
        cluster.migrateSlot(slot, from);
        assertThat(cluster.slotOwner(slot)).isSameAs(from);
        assertThat(cluster.commandFor("{tag}", "GET", "{tag}2")).isEqualTo("two");
    }

    @Test
    void replicas_take_over() {
        try (TestCluster cluster = TestCluster.startWithReplicas()) {
            assertThat(cluster.nodes()).hasSize(6);
            assertThat(cluster.replicas(1)).containsExactly(cluster.node(4));
            cluster.commandFor("key", "SET", "key", "value");
            int third = cluster.nodes().indexOf(cluster.slotOwner(cluster.slotOf("key")));
            cluster.primary(third).command("WAIT", "1", "60000");

            TestServer first = cluster.primary(third);
            TestServer second = cluster.failover(third);
            assertThat(second).isNotSameAs(first).isSameAs(cluster.primary(third));
            assertThat(cluster.commandFor("key", "GET", "key")).isEqualTo("value");

            assertThat(cluster.killPrimary(third)).isSameAs(second);
            assertThat(cluster.awaitFailover(third, second)).isSameAs(first);
            assertThat(cluster.commandFor("key", "GET", "key")).isEqualTo("value");

            second.restart();
            cluster.awaitOk();
            assertThat(cluster.replicas(third)).containsExactly(second);
        }
    }

    @Test
    void without_full_coverage_the_rest_goes_on() {
        try (TestCluster cluster = TestCluster.start("cluster-require-full-coverage no")) {
            TestServer killed = cluster.killPrimary(0);
            assertThat(killed.alive()).isFalse();
            Waiting.until(
                    () ->
                            String.valueOf(cluster.command(1, "CLUSTER", "INFO"))
                                    .contains("cluster_slots_fail:" + TestCluster.firstSlot(1)),
                    () -> "Nobody notices.");
            int slot = TestCluster.firstSlot(1);
            String key = keyIn(cluster, slot, TestCluster.firstSlot(2));
            assertThat(cluster.commandFor(key, "SET", key, "value")).isEqualTo("OK");
            killed.restart();
            cluster.awaitOk();
        }
    }

    private static String keyIn(TestCluster cluster, int from, int to) {
        for (int i = 0; ; i++) {
            int slot = cluster.slotOf("key:" + i);
            if (from <= slot && slot < to) {
                return "key:" + i;
            }
        }
    }
}
