package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Slots;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

/** Sixty-four places, for ever, and ids that know theirs. */
final class ShardsTest {
    private static final Shards CLUSTER = new Shards(true);
    private static final Shards SINGLE = new Shards(false);

    @Test
    void the_tags_lie_evenly_between_the_slots() {
        assertThat(Shards.TAGS).hasSize(Shards.COUNT).doesNotHaveDuplicates();
        for (int i = 0; i < Shards.COUNT; i++) {
            assertThat(Slots.of(Shards.TAGS.get(i))).isEqualTo(256 * i + 127);
            assertThat(Slots.of("{" + Shards.TAGS.get(i) + "}event:{created}"))
                    .isEqualTo(256 * i + 127);
        }
    }

    @Test
    void up_to_sixty_four_primaries_share_the_shards_evenly() {
        for (int primaries = 1; primaries <= 64; primaries++) {
            int[] shards = new int[primaries];
            for (int i = 0; i < Shards.COUNT; i++) {
                shards[(256 * i + 127) * primaries / Slots.COUNT]++;
            }
            for (int each : shards) {
                assertThat(each)
                        .isBetween(Shards.COUNT / primaries, (Shards.COUNT - 1) / primaries + 1);
            }
        }
    }

    @Test
    void the_table_is_never_changed() {
        assertThat(String.join(" ", Shards.TAGS).hashCode()).isEqualTo(HASH_OF_THE_TABLE);
        assertThat(Shards.shard("pump")).isEqualTo(44);
        assertThat(Shards.shard("")).isZero();
    }

    /** Data lies under these tags: if this fails, put the table back. */
    private static final int HASH_OF_THE_TABLE = -1_147_793_308;

    @Test
    void derived_ids_are_the_same_every_time_and_carry_the_shard_of_their_owner() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String owner = "owner" + i % 777;
            String id = Shards.derive(owner, "a" + i, "b");
            assertThat(Shards.derive(owner, "a" + i, "b")).isEqualTo(id);
            assertThat(id)
                    .matches("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
            assertThat(Shards.shard(id)).isEqualTo(Shards.shard(owner));
            seen.add(id);
        }
        assertThat(seen).hasSize(10_000);
        assertThat(Shards.derive("x", "ab", "c")).isNotEqualTo(Shards.derive("x", "a", "bc"));
    }

    @Test
    void minted_ids_carry_the_shard_of_their_owner() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String owner = "owner" + i % 777;
            String id = Shards.mint(owner);
            assertThat(Shards.shard(id)).isEqualTo(Shards.shard(owner));
            assertThat(CLUSTER.place(id).prefix()).isEqualTo(CLUSTER.place(owner).prefix());
            assertThat(seen.add(id)).isTrue();
            assertThat(id)
                    .matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        }
    }

    @Test
    void ids_made_later_sort_later() {
        String first = Shards.mint("x");
        long until = System.currentTimeMillis() + 2;
        while (System.currentTimeMillis() < until) {
            Thread.onSpinWait();
        }
        assertThat(Shards.mint("y")).isGreaterThan(first);
    }

    @Test
    void owners_spread_over_all_shards() {
        int[] owners = new int[Shards.COUNT];
        for (int i = 0; i < 64_000; i++) {
            owners[Shards.shard("device-" + i)]++;
        }
        for (int each : owners) {
            assertThat(each).isBetween(800, 1200);
        }
    }

    @Test
    void on_a_single_server_all_shards_are_one_place_without_prefix() {
        assertThat(SINGLE.all()).hasSize(1);
        assertThat(CLUSTER.all()).hasSize(Shards.COUNT);
        assertThat(new String(SINGLE.place("pump").key("event"), UTF_8)).isEqualTo("event");
        assertThat(new String(CLUSTER.place("pump").key("event"), UTF_8)).isEqualTo("{ik}event");
        assertThat(CLUSTER.byPrefix("{ik}event").map(Place::shard)).contains(44);
        assertThat(CLUSTER.byPrefix("{nobody}event")).isEmpty();
        assertThat(CLUSTER.byPrefix("event")).isEmpty();
        assertThat(CLUSTER.byPrefix("{")).isEmpty();
    }

    @Test
    void what_lives_together_is_the_same_on_a_single_server_and_in_a_cluster() {
        for (int i = 0; i < 300; i++) {
            for (int j = 0; j < 300; j += 7) {
                String one = "a" + i;
                String other = "b" + j;
                assertThat(SINGLE.place(one).together(SINGLE.place(other)))
                        .isEqualTo(CLUSTER.place(one).together(CLUSTER.place(other)));
                assertThat(SINGLE.place(one).together(SINGLE.tagged("c.{x}", "x"))).isFalse();
                assertThat(CLUSTER.place(one).together(CLUSTER.tagged("c.{x}", "x"))).isFalse();
            }
        }
    }
}
