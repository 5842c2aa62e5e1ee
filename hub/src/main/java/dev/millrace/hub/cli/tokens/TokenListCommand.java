package dev.millrace.hub.cli.tokens;

import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code token list}: which tokens there are; never their secrets, which are kept nowhere. */
@Command(
        name = "list",
        description = {
            "Print which tokens there are, oldest first.",
            "The time of the last use is right to about a minute."
        })
final class TokenListCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() {
        Optional<SiteRedis> found = SiteRedis.inspect(options.settings());
        if (found.isEmpty()) {
            System.out.print(TokenTable.of(List.of(), Instant.now()));
            return 0;
        }
        try (SiteRedis site = found.get()) {
            System.out.print(TokenTable.of(TokenCommand.tokens(site).list(), Instant.now()));
            return 0;
        }
    }
}
