package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.pubsub.webhooks.WebhookWork;
import dev.millrace.hub.pubsub.webhooks.WebhookWork.Claim;
import dev.millrace.hub.pubsub.webhooks.WebhookWork.Item;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/**
 * The list of work by itself, where the moments can be chosen that a whole hub only meets by
 * chance. The hub here has no webhooks, so that it leaves the list alone.
 */
@OnEachSite
final class WebhookWorkTest extends PubsubContract {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Item ITEM = new Item("a", "w");
    private static final List<Integer> HERE = List.of(WebhookWork.part("a"));

    private WebhookWork work;

    @BeforeEach
    void open() {
        work = new WebhookWork(hub.keyspace());
    }

    private void arm(boolean beforePublish) {
        work.arm("a", List.of(ITEM), beforePublish).join();
    }

    private List<Claim> claims() {
        return work.claim(HERE, 10, LEASE);
    }

    private Claim claim() {
        List<Claim> claims = claims();
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    @Test
    void what_is_armed_can_be_claimed_once() {
        arm(false);
        assertThat(claim().item()).isEqualTo(ITEM);
        assertThat(claims()).isEmpty();
    }

    @Test
    void what_is_armed_before_a_publish_is_not_due_until_after_it() {
        arm(true);
        assertThat(claims()).isEmpty();
        arm(false);
        assertThat(claims()).hasSize(1);
    }

    @Test
    void what_is_armed_before_a_publish_whose_hub_died_is_due_some_time() {
        arm(true);
        String due = String.valueOf(redis("ZSCORE", items(), "a.w"));
        // The server runs on this machine.
        assertThat(Double.parseDouble(due) - System.currentTimeMillis()).isLessThan(12_000);
        redis("ZADD", items(), "1", "a.w");
        assertThat(claim().note()).isEmpty();
    }

    private static String items() {
        return "millrace:webhook-work:{%d}".formatted(WebhookWork.part("a"));
    }

    @Test
    void work_that_is_done_leaves_nothing_behind() {
        arm(false);
        assertThat(work.done(claim())).isEmpty();
        assertThat(redis("EXISTS", items())).isEqualTo(0L);
        assertThat(redis("EXISTS", items().replace("work", "notes"))).isEqualTo(0L);
    }

    @Test
    void a_publish_between_the_look_and_the_end_keeps_the_work() {
        arm(false);
        Claim claim = claim();
        arm(true);
        arm(false);
        Claim again = work.done(claim).orElseThrow();
        assertThat(claims()).isEmpty();
        assertThat(work.done(again)).isEmpty();
        assertThat(redis("EXISTS", items())).isEqualTo(0L);
    }

    @Test
    void a_publish_that_has_only_been_announced_keeps_the_work_too() {
        arm(false);
        Claim claim = claim();
        arm(true);
        assertThat(work.done(claim)).isPresent();
    }

    @Test
    void what_waits_for_another_try_keeps_its_time_and_its_note() {
        arm(false);
        work.again(claim().noting("7 2"), Duration.ofMinutes(5));
        arm(true);
        arm(false);
        assertThat(claims()).isEmpty();
        redis("ZADD", items(), "1", "a.w");
        assertThat(claim().note()).isEqualTo("7 2");
    }

    @Test
    void a_claim_that_somebody_else_has_taken_over_changes_nothing() {
        arm(false);
        Claim late = claim();
        redis("ZADD", items(), "1", "a.w");
        // Two claims in one millisecond would have the same proof.
        Claim now = work.claim(HERE, 10, LEASE.plusMinutes(1)).getFirst();
        assertThat(work.done(late)).isEmpty();
        work.again(late, Duration.ZERO);
        assertThat(claims()).isEmpty();
        assertThat(work.renew(late, LEASE)).isEmpty();
        Claim renewed = work.renew(now, LEASE.multipliedBy(2)).orElseThrow();
        assertThat(work.done(now)).isEmpty();
        assertThat(redis("EXISTS", items())).isEqualTo(1L);
        assertThat(work.done(renewed)).isEmpty();
        assertThat(redis("EXISTS", items())).isEqualTo(0L);
    }
}
