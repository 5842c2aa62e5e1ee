package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.hub.access.Tokens.Made;
import dev.millrace.hub.access.Tokens.Wish;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Tokens on a real Redis, seen from two hubs of one site. */
@OnEachSite
final class TokensTest {
    @Parameter Site site;

    static final Actor ANNA = new Actor("anna", "10.0.0.5");

    private final List<Redis> opened = new ArrayList<>();
    final Times times = new Times();
    Keyspace keyspace;
    Audit audit;
    Tokens here;
    Tokens there;

    String url() {
        return site.url();
    }

    @BeforeEach
    void open() {
        String url = url();
        SharedServers.flushAll();
        keyspace = keyspace(url);
        audit = new Audit(keyspace);
        here = new Tokens(keyspace, audit, times, times::nanos);
        Keyspace second = keyspace(url);
        there = new Tokens(second, new Audit(second), times, times::nanos);
        here.refresh();
        there.refresh();
    }

    private Keyspace keyspace(String url) {
        Redis redis = Redis.open(Patience.options(url));
        opened.add(redis);
        return new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
    }

    @AfterEach
    void nothingHasDrifted() {
        CheckReport report = keyspace.check().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isZero();
        opened.forEach(Redis::close);
    }

    static Wish wish(String name, Role role, String... scopes) {
        return new Wish(name, role, Stream.of(scopes).map(Scope::parse).toList(), Optional.empty());
    }

    Made make(Wish wish) {
        return here.create(wish, ANNA).orThrow();
    }

    @Test
    void a_token_that_was_made_is_good_at_once_where_it_was_made() {
        Made made = make(wish("grafana", Role.VIEWER, "documents/brewery", "alarms"));
        assertThat(here.verify(made.text()))
                .isEqualTo(
                        new Verdict.Good(
                                new Caller(
                                        "grafana",
                                        List.of(
                                                new Grant(
                                                        Role.VIEWER,
                                                        List.of(
                                                                Scope.parse("documents/brewery"),
                                                                Scope.parse("alarms")))))));
        assertThat(there.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        there.refresh();
        assertThat(there.verify(made.text())).isEqualTo(here.verify(made.text()));
        assertThat(there.list()).containsExactly(made.token());
        assertThat(made.toString()).doesNotContain(made.text());
    }

    @Test
    void a_wrong_secret_for_a_right_id_is_wrong() {
        Made made = make(wish("x", Role.ADMIN));
        TokenText other = new TokenText(made.token().id(), TokenText.random().secret());
        assertThat(here.verify(other.text())).isEqualTo(new Verdict.Wrong(other.id()));
    }

    @Test
    void a_revoked_token_is_refused_at_once_here_and_at_the_next_look_elsewhere() {
        Made made = make(wish("x", Role.ADMIN));
        there.refresh();
        assertThat(here.revoke(made.token().id(), ANNA).isDone()).isTrue();
        assertThat(here.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        there.refresh();
        assertThat(there.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        assertThat(here.list()).isEmpty();
    }

    @Test
    void a_token_can_be_revoked_by_its_text_and_only_once() {
        Made made = make(wish("x", Role.ADMIN));
        assertThat(there.revoke(made.text(), ANNA).isDone()).isTrue();
        Outcome<Token> again = here.revoke(made.token().id(), ANNA);
        assertThat(again.failedBy(Reason.ABSENT)).isTrue();
        assertThat(here.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        assertThat(here.revoke("../../etc", ANNA).failedBy(Reason.ABSENT)).isTrue();
    }

    @Test
    void a_name_is_given_once_and_again_after_it_was_revoked() {
        Made first = make(wish("grafana", Role.VIEWER));
        Outcome<Made> second = there.create(wish("grafana", Role.ADMIN), ANNA);
        assertThat(second)
                .isEqualTo(
                        Outcome.notDone(
                                Reason.DUPLICATE,
                                "There is a token grafana already, with the id %s; revoke it or take another name."
                                        .formatted(first.token().id())));
        here.revoke(first.token().id(), ANNA).orThrow();
        assertThat(there.create(wish("grafana", Role.ADMIN), ANNA).isDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "<script>", "-x", "x ", "a:b"})
    void a_name_that_could_be_misread_is_refused(String name) {
        assertThat(here.create(wish(name, Role.VIEWER), ANNA).failedBy(Reason.REFUSED)).isTrue();
        assertThat(here.create(wish("x".repeat(65), Role.VIEWER), ANNA).failedBy(Reason.REFUSED))
                .isTrue();
        assertThat(here.list()).isEmpty();
    }

    @Test
    void a_token_expires() {
        Wish wish = new Wish("x", Role.VIEWER, List.of(), Optional.of(Duration.ofDays(90)));
        Made made = make(wish);
        times.pass(Duration.ofDays(90).minusMillis(1));
        here.refresh();
        assertThat(here.verify(made.text())).isInstanceOf(Verdict.Good.class);
        times.pass(Duration.ofMillis(1));
        assertThat(here.verify(made.text())).isInstanceOf(Verdict.Expired.class);
        assertThat(here.list().getFirst().expired(times.instant())).isTrue();
        for (Duration bad : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofDays(40_000))) {
            Wish never = new Wish("y", Role.VIEWER, List.of(), Optional.of(bad));
            assertThat(here.create(never, ANNA).failedBy(Reason.REFUSED)).isTrue();
        }
    }

    @Test
    void the_audit_has_who_made_and_revoked_what() {
        Made made = make(wish("grafana", Role.VIEWER, "alarms"));
        there.revoke(made.token().id(), new Actor("ben", "command line")).orThrow();
        here.create(wish("", Role.VIEWER), ANNA);
        String about = "grafana (%s), viewer, [alarms]".formatted(made.token().id());
        assertThat(audit.latest(10))
                .extracting(
                        Audit.Entry::who,
                        Audit.Entry::from,
                        Audit.Entry::what,
                        Audit.Entry::about,
                        Audit.Entry::result)
                .containsExactly(
                        tuple("ben", "command line", "token revoked", about, "done"),
                        tuple("anna", "10.0.0.5", "token made", about, "done"));
    }

    @Test
    void the_last_use_is_written_at_most_once_a_minute() {
        Made made = make(wish("x", Role.VIEWER));
        here.verify(made.text());
        here.keepLastUse();
        assertThat(here.list().getFirst().lastUsed()).contains(times.instant());
        var first = times.instant();
        times.pass(Duration.ofSeconds(59));
        here.verify(made.text());
        here.keepLastUse();
        assertThat(here.list().getFirst().lastUsed()).contains(first);
        times.pass(Duration.ofSeconds(1).plusMillis(1));
        here.refresh();
        here.verify(made.text());
        here.keepLastUse();
        assertThat(here.list().getFirst().lastUsed()).contains(times.instant());
        here.refresh();
        here.keepLastUse();
        assertThat(here.verify(made.text())).isInstanceOf(Verdict.Good.class);
    }

    @Test
    void the_last_use_of_a_revoked_token_does_not_bring_it_back() {
        Made made = make(wish("x", Role.VIEWER));
        here.verify(made.text());
        there.revoke(made.token().id(), ANNA).orThrow();
        here.keepLastUse();
        assertThat(here.list()).isEmpty();
    }

    @Test
    void hubs_that_make_use_and_revoke_at_the_same_time_agree_in_the_end()
            throws InterruptedException {
        ConcurrentLinkedQueue<Made> good = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Made> gone = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Tokens hub = i % 2 == 0 ? here : there;
            Random random = new Random(i);
            String name = "t" + i + ".";
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                for (int n = 0; n < 60; n++) {
                                    Made made =
                                            hub.create(wish(name + n, Role.VIEWER), ANNA).orThrow();
                                    if (!(hub.verify(made.text()) instanceof Verdict.Good)) {
                                        wrong.add("not good: " + made);
                                    }
                                    hub.keepLastUse();
                                    if (random.nextInt(3) == 0) {
                                        hub.refresh();
                                    }
                                    if (random.nextBoolean()) {
                                        hub.revoke(made.token().id(), ANNA).orThrow();
                                        if (hub.verify(made.text()) instanceof Verdict.Good) {
                                            wrong.add("still good: " + made);
                                        }
                                        gone.add(made);
                                    } else {
                                        good.add(made);
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
        here.refresh();
        there.refresh();
        Set<String> ids = new HashSet<>();
        for (Made made : good) {
            ids.add(made.token().id());
            assertThat(here.verify(made.text())).isInstanceOf(Verdict.Good.class);
            assertThat(there.verify(made.text())).isInstanceOf(Verdict.Good.class);
        }
        for (Made made : gone) {
            assertThat(here.verify(made.text())).isInstanceOf(Verdict.Absent.class);
            assertThat(there.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        }
        assertThat(here.list()).extracting(Token::id).containsExactlyInAnyOrderElementsOf(ids);
    }
}
