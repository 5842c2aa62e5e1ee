package dev.millrace.keyspace.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What was seen of the values of an index says how many may be asked for without a bound. */
final class SizesTest {
    private final Sizes sizes = new Sizes();

    @Test
    void of_an_index_that_was_never_read_nothing_is_known() {
        assertThat(sizes.fitting("a", 1000)).isZero();
        sizes.saw("a", 0, 0);
        assertThat(sizes.fitting("a", 1000)).isZero();
        sizes.saw("b", 100, 1);
        assertThat(sizes.fitting("a", 1000)).isZero();
    }

    @Test
    void as_many_fit_as_the_largest_one_goes_into_the_bytes() {
        sizes.saw("a", 100, 10);
        assertThat(sizes.fitting("a", 1000)).isEqualTo(100);
        assertThat(sizes.fitting("a", 9)).isZero();
        sizes.saw("a", 100, 300);
        assertThat(sizes.fitting("a", 1000)).isEqualTo(3);
        sizes.saw("a", 100, 0);
        assertThat(sizes.fitting("a", 100)).isEqualTo(100);
    }

    @Test
    void what_was_seen_of_few_counts_for_few() {
        sizes.saw("a", 1, 10);
        assertThat(sizes.fitting("a", 1 << 20)).isEqualTo(4);
        sizes.saw("a", 100, 10);
        assertThat(sizes.fitting("a", 1 << 20)).isEqualTo(400);
    }

    @Test
    void a_few_small_ones_do_not_make_a_large_one_forgotten() {
        sizes.saw("a", 100, 500);
        sizes.saw("a", 1, 10);
        assertThat(sizes.fitting("a", 1000)).isEqualTo(2);
        sizes.saw("a", 1, 1000);
        assertThat(sizes.fitting("a", 1000)).isEqualTo(1);
    }
}
