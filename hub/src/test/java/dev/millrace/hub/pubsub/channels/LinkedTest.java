package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

class LinkedTest {
    private final CompletableFuture<String> admission = new CompletableFuture<>();
    private final CompletableFuture<String> wait = new CompletableFuture<>();
    private final AtomicInteger begun = new AtomicInteger();

    private CompletableFuture<String> composed() {
        return Linked.compose(
                admission,
                who -> {
                    begun.incrementAndGet();
                    return wait;
                });
    }

    @Test
    void what_was_given_up_before_it_could_begin_does_not_begin() {
        composed().cancel(false);
        admission.complete("somebody");
        assertThat(begun).hasValue(0);
    }

    @Test
    void what_is_given_up_while_it_goes_on_ends() {
        CompletableFuture<String> result = composed();
        admission.complete("somebody");
        result.cancel(false);
        assertThat(wait).isCancelled();
    }

    @Test
    void what_is_linked_with_something_given_up_before_ends_too() {
        CompletableFuture<String> result = new CompletableFuture<>();
        result.cancel(false);
        assertThat(Linked.of(wait, result)).isSameAs(result);
        assertThat(wait).isCancelled();
    }
}
