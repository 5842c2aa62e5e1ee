package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Network;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pages whose name suddenly leads to this machine. For their browser they are pages of the hub;
 * only the name in Host tells them apart.
 */
class HostsTest {
    private final AtomicInteger written = new AtomicInteger();
    private TestWeb web;

    private TestWeb start(AccessSettings access, String... set) {
        return TestWeb.with(
                List.of(
                        Route.get("/thing")
                                .needs(Role.VIEWER, "test")
                                .about("Reads.")
                                .by(request -> Answer.text(200, "thing")),
                        Route.post("/thing")
                                .needs(Role.ADMIN, "test")
                                .about("Writes.")
                                .by(
                                        request -> {
                                            written.incrementAndGet();
                                            return Answer.empty(204);
                                        }),
                        Route.get("/open")
                                .forAnyone()
                                .about("For everybody.")
                                .by(request -> Answer.text(200, "open")),
                        Route.get("/talk")
                                .needs(Role.VIEWER, "test")
                                .about("Talks.")
                                .talkingBy((request, talk) -> {})),
                new Owners(Owner.own("test")),
                access,
                set);
    }

    @BeforeEach
    void start() {
        web = start(AccessSettings.defaults());
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private void restart(AccessSettings access, String... set) {
        web.close();
        web = start(access, set);
    }

    private String ask(String head) throws IOException {
        return web.raw(head.replace("¦", "\r\n") + "\r\nConnection: close\r\n\r\n");
    }

    private int status(String host) throws IOException {
        return Integer.parseInt(ask("GET /thing HTTP/1.1¦Host: " + host).substring(9, 12));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LocalHost:8080, 200",
        "localhost., 200",
        "hub.localhost:1, 200",
        "127.0.0.1, 200",
        "127.0.0.1:8080, 200",
        "127.9.8.7, 200",
        "[::1], 200",
        "[::1]:8080, 200",
        "evil.invalid, 421",
        "evil.invalid:8080, 421",
        "localhost.evil.invalid, 421",
        "127.0.0.1.evil.invalid, 421",
        "evillocalhost, 421",
        "192.168.1.7, 421",
        "0.0.0.0, 421",
        "[fd00::1], 421",
        "localhost@evil.invalid, 421",
        "localhost:80:90, 421",
        "localhost/, 421",
        "[localhost, 421",
    })
    void on_loopback_only_its_own_names_and_addresses_are_taken(String host, int status)
            throws IOException {
        assertThat(status(host)).isEqualTo(status);
    }

    @Test
    void an_empty_host_is_nobody() throws IOException {
        assertThat(status("")).isEqualTo(421);
    }

    @Test
    void a_page_that_was_led_here_can_neither_write_nor_read_nor_talk() throws IOException {
        String page = "Host: evil.invalid¦Origin: http://evil.invalid";
        assertThat(ask("POST /thing HTTP/1.1¦Content-Length: 0¦" + page))
                .startsWith("HTTP/1.1 421 ")
                .contains("wrong-host")
                .contains("http.hosts");
        assertThat(ask("GET /thing HTTP/1.1¦" + page)).startsWith("HTTP/1.1 421 ");
        assertThat(ask("GET /open HTTP/1.1¦" + page)).startsWith("HTTP/1.1 421 ");
        assertThat(ask("GET /nothing HTTP/1.1¦" + page)).startsWith("HTTP/1.1 421 ");
        assertThat(ask("OPTIONS /thing HTTP/1.1¦Access-Control-Request-Method: POST¦" + page))
                .startsWith("HTTP/1.1 421 ");
        assertThat(
                        ask(
                                "GET /talk HTTP/1.1¦Upgrade: websocket¦Sec-WebSocket-Version: 13¦"
                                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==¦"
                                        + page))
                .startsWith("HTTP/1.1 421 ");
        assertThat(ask("GET http://evil.invalid/thing HTTP/1.1¦Host: localhost"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(written).hasValue(0);
    }

    @Test
    void who_says_no_host_at_all_is_no_browser() throws IOException {
        assertThat(ask("GET /thing HTTP/1.0¦Accept: */*")).startsWith("HTTP/1.0 200 ");
        assertThat(ask("GET /thing HTTP/1.0¦Host: evil.invalid")).startsWith("HTTP/1.0 421 ");
        assertThat(ask("GET /thing HTTP/1.0¦Host: localhost¦Host: evil.invalid"))
                .startsWith("HTTP/1.0 421 ");
        assertThat(ask("GET /thing HTTP/1.0¦Origin: http://evil.invalid"))
                .startsWith("HTTP/1.0 421 ");
        assertThat(ask("GET /thing HTTP/1.0¦Sec-Fetch-Site: same-origin"))
                .startsWith("HTTP/1.0 421 ");
    }

    @Test
    void further_names_are_those_that_were_said() throws IOException {
        restart(AccessSettings.defaults(), "http.hosts=hub.example,192.168.1.7");
        assertThat(status("HUB.example:8080")).isEqualTo(200);
        assertThat(status("192.168.1.7")).isEqualTo(200);
        assertThat(status("localhost")).isEqualTo(200);
        assertThat(status("x.hub.example")).isEqualTo(421);
        assertThat(status("192.168.1.8")).isEqualTo(421);
    }

    private static AccessSettings token(Map<Network, Role> networks) {
        return new AccessSettings(Mode.TOKEN, networks, 5, Duration.ofSeconds(1));
    }

    @Test
    void where_everybody_needs_a_token_a_proxy_may_pass_on_any_name() throws IOException {
        restart(token(Map.of()));
        assertThat(status("shop.example")).isEqualTo(401);
        restart(token(Map.of()), "http.hosts=shop.example");
        assertThat(status("shop.example")).isEqualTo(401);
        assertThat(status("evil.invalid")).isEqualTo(421);
    }

    @Test
    void where_an_address_gives_rights_the_name_must_be_known() throws IOException {
        Map<Network, Role> networks = Map.of(Network.of("127.0.0.0/8"), Role.VIEWER);
        restart(token(networks));
        assertThat(status("localhost")).isEqualTo(200);
        assertThat(status("evil.invalid")).isEqualTo(421);
        restart(token(networks), "http.hosts=shop.example");
        assertThat(status("shop.example")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hub.example"})
    void others_than_loopback_are_as_strict_as_they_are_told(String hosts) throws IOException {
        restart(token(Map.of()), "http.host=0.0.0.0", "http.hosts=" + hosts);
        assertThat(status("hub.example")).isEqualTo(401);
        assertThat(status("192.168.1.7")).isEqualTo(401);
        assertThat(status("evil.invalid")).isEqualTo(hosts.isEmpty() ? 401 : 421);
    }
}
