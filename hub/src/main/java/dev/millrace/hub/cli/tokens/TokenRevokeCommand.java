package dev.millrace.hub.cli.tokens;

import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.access.Token;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code token revoke}: a token is worth nothing any more. */
@Command(
        name = "revoke",
        description = {
            "Revoke a token for ever. A running hub refuses it within two seconds.",
            "Ends with 1 if there is no such token."
        })
final class TokenRevokeCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Parameters(paramLabel = "ID", description = "As token list shows it, or the token itself.")
    private String id = "";

    @Override
    public Integer call() {
        Optional<SiteRedis> found = SiteRedis.inspect(options.settings());
        if (found.isEmpty()) {
            Terminal.note("there are no tokens to revoke.");
            return 1;
        }
        try (SiteRedis site = found.get()) {
            Outcome<Token> outcome = TokenCommand.tokens(site).revoke(id, TokenCommand.actor());
            return switch (outcome) {
                case Outcome.Done<Token>(Token token) -> revoked(token);
                case Outcome.Unconfirmed<Token>(Token token, String detail) -> {
                    Terminal.note("warning: " + detail);
                    yield revoked(token);
                }
                case Outcome.NotDone<Token>(Reason reason, String detail) -> {
                    Terminal.note(detail);
                    yield reason == Reason.ABSENT ? 1 : 2;
                }
                case Outcome.Unknown<Token>(String detail) -> {
                    Terminal.note(detail);
                    Terminal.note("whether it was revoked is not known; try again.");
                    yield 2;
                }
            };
        }
    }

    private static int revoked(Token token) {
        Terminal.note("revoked the token %s.".formatted(Terminal.shown(token.name())));
        return 0;
    }
}
