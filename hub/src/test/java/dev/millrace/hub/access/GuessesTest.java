package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class GuessesTest {
    private static final InetAddress ATTACKER = InetAddress.ofLiteral("203.0.113.7");
    private static final InetAddress OTHER = InetAddress.ofLiteral("203.0.113.8");

    private Times times;
    private Guesses guesses;

    @BeforeEach
    void begin() {
        times = new Times();
        guesses = new Guesses(5, Duration.ofMinutes(1), times::nanos);
    }

    private void fail(InetAddress peer, int count) {
        for (int i = 0; i < count; i++) {
            guesses.failed(peer);
        }
    }

    @Test
    void some_attempts_are_free_and_then_the_delay_doubles_up_to_a_minute() {
        fail(ATTACKER, 4);
        assertThat(guesses.delay(ATTACKER)).isEmpty();
        List<Long> seconds = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            guesses.failed(ATTACKER);
            Duration delay = guesses.delay(ATTACKER).orElseThrow();
            seconds.add(delay.toSeconds());
            times.pass(delay);
            assertThat(guesses.delay(ATTACKER)).isEmpty();
        }
        assertThat(seconds).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L, 60L);
    }

    @Test
    void a_hundred_thousand_attempts_do_not_overflow_anything() {
        fail(ATTACKER, 100_000);
        assertThat(guesses.delay(ATTACKER)).contains(Duration.ofMinutes(1));
    }

    @Test
    void others_are_not_delayed() {
        fail(ATTACKER, 100);
        assertThat(guesses.delay(OTHER)).isEmpty();
        assertThat(guesses.delay("k3v9x2ma")).isEmpty();
    }

    @Test
    void ten_quiet_minutes_and_it_is_forgotten() {
        fail(ATTACKER, 100);
        times.pass(Duration.ofMinutes(10).plusSeconds(1));
        fail(ATTACKER, 4);
        assertThat(guesses.delay(ATTACKER)).isEmpty();
        guesses.failed(ATTACKER);
        assertThat(guesses.delay(ATTACKER)).contains(Duration.ofSeconds(1));
    }

    @Test
    void an_ipv6_network_of_64_bits_is_one() {
        fail(InetAddress.ofLiteral("2001:db8:1:2::1"), 3);
        fail(InetAddress.ofLiteral("2001:db8:1:2:ffff::9"), 3);
        assertThat(guesses.delay(InetAddress.ofLiteral("2001:db8:1:2:abcd::"))).isPresent();
        assertThat(guesses.delay(InetAddress.ofLiteral("2001:db8:1:3::1"))).isEmpty();
    }

    @Test
    void an_address_may_be_written_in_two_ways() {
        fail(InetAddress.ofLiteral("::ffff:203.0.113.7"), 5);
        assertThat(guesses.delay(ATTACKER)).isPresent();
    }

    @Test
    void millions_of_addresses_take_no_more_memory_and_push_nobody_out_who_is_active()
            throws UnknownHostException {
        int addresses = 2_000_000;
        for (int i = 0; i < addresses; i++) {
            byte[] bytes = ByteBuffer.allocate(16).putLong(0x20010db800000000L + i).array();
            guesses.failed(InetAddress.getByAddress(bytes));
            if (i % 1000 == 0) {
                times.pass(Duration.ofNanos(1000));
                guesses.failed(ATTACKER);
            }
        }
        assertThat(guesses.size()).isLessThanOrEqualTo(Guesses.CAPACITY);
        assertThat(guesses.size()).isGreaterThan(Guesses.CAPACITY * 9 / 10);
        assertThat(guesses.delay(ATTACKER)).isPresent();
        assertThat(guesses.delay(OTHER)).isEqualTo(Optional.empty());
    }
}
