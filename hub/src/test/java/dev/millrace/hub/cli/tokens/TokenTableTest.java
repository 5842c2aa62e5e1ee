package dev.millrace.hub.cli.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.access.Token;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class TokenTableTest {
    @Test
    void it_shows_what_has_expired_and_nothing_that_hurts_a_terminal() {
        Instant noon = Instant.parse("2026-11-16T12:00:00Z");
        Token token =
                new Token(
                        "k3v9x2ma",
                        "x",
                        Role.ADMIN,
                        List.of(Scope.parse("alarms")),
                        noon,
                        "an\u001bna",
                        Optional.of(noon.plusSeconds(60)),
                        Optional.empty());
        assertThat(TokenTable.of(List.of(token), noon.plusSeconds(59))).doesNotContain("expired");
        assertThat(TokenTable.of(List.of(token), noon.plusSeconds(60)))
                .contains("(expired)  never\n", "an\\u001bna");
    }
}
