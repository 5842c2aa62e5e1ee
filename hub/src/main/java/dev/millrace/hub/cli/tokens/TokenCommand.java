package dev.millrace.hub.cli.tokens;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Tokens;
import dev.millrace.keyspace.Keyspace;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.time.Clock;

/** {@code token}: makes, lists and revokes API tokens. */
@Command(
        name = "token",
        description = "Make, list and revoke API tokens, also while the hub is running.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TokenCreateCommand.class,
            TokenListCommand.class,
            TokenRevokeCommand.class,
            CommandLine.HelpCommand.class
        })
public final class TokenCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // the library looks at it
    private boolean help;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "token what? create, list or revoke; see --help.");
    }

    static Tokens tokens(SiteRedis site) {
        Keyspace keyspace = new Keyspace(site.redis(), Rooms.catalogue());
        return new Tokens(keyspace, new Audit(keyspace), Clock.systemUTC(), System::nanoTime);
    }

    /** Whoever sits here. */
    static Actor actor() {
        return new Actor(System.getProperty("user.name", "somebody"), "command line");
    }
}
