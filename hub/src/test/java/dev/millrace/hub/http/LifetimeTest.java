package dev.millrace.hub.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;

class LifetimeTest {
    private static final int TRIES = 20_000;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Lifetime lifetime = new Lifetime(() -> told.add("usual stop"));

    private void use() {
        lifetime.use(() -> told.add("begin"), () -> told.add("end"));
    }

    @Test
    void it_begins_and_ends_once() {
        use();
        assertThat(lifetime.isOver()).isFalse();
        lifetime.over();
        lifetime.over();
        assertThat(told).containsExactly("begin", "end");
        assertThat(lifetime.isOver()).isTrue();
    }

    @Test
    void what_is_over_does_not_begin_but_ends() {
        lifetime.over();
        use();
        lifetime.over();
        assertThat(told).containsExactly("end");
    }

    @Test
    void an_end_that_comes_during_the_beginning_waits_for_it() {
        lifetime.use(
                () -> {
                    lifetime.over();
                    told.add("begin");
                },
                () -> told.add("end"));
        assertThat(told).containsExactly("begin", "end");
    }

    @Test
    void a_beginning_that_fails_is_ended_too() {
        assertThatThrownBy(
                        () ->
                                lifetime.use(
                                        () -> {
                                            throw new IllegalArgumentException("cannot begin");
                                        },
                                        () -> told.add("end")))
                .hasMessage("cannot begin");
        assertThat(told).isEmpty();
        lifetime.over();
        assertThat(told).containsExactly("end");
    }

    @Test
    void it_is_used_by_one() {
        use();
        assertThatThrownBy(this::use).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void beginning_and_end_in_the_same_moment_have_an_order() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            List<String> heard = new CopyOnWriteArrayList<>();
            Lifetime each = new Lifetime(() -> {});
            CyclicBarrier together = new CyclicBarrier(2);
            Thread leaving =
                    Thread.startVirtualThread(
                            () -> {
                                await(together);
                                each.over();
                            });
            await(together);
            each.use(() -> heard.add("begin"), () -> heard.add("end"));
            leaving.join();
            assertThat(heard).isIn(List.of("end"), List.of("begin", "end"));
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_stop_is_told_to_whoever_is_there_or_comes_later() {
        lifetime.whenStopping(() -> told.add("stop"));
        lifetime.stop();
        lifetime.stop();
        assertThat(told).containsExactly("stop");
        lifetime.whenStopping(() -> told.add("late"));
        assertThat(told).containsExactly("stop", "late");
    }

    @Test
    void a_stop_that_nobody_has_said_anything_about_is_the_usual_one() {
        lifetime.stop();
        assertThat(told).containsExactly("usual stop");
    }
}
