package dev.millrace.hub.cli;

import dev.millrace.hub.SettingNames;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.hub.cli.tokens.TokenCommand;
import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.settings.BadSettingsException;
import dev.millrace.keyspace.backup.BackupException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The way in: one command, one exit code. 0 is what was wanted, 1 is an answer that is not, 2 means
 * that it could not be done, with a sentence that says why.
 */
@Command(
        name = "millrace",
        description = "An edge data hub on Redis.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            DemoCommand.class,
            CheckCommand.class,
            CatalogueCommand.class,
            FsckCommand.class,
            MemoryCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            DoctorCommand.class,
            TokenCommand.class,
            SettingsCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Main {
    private static final Logger log = LoggerFactory.getLogger(Main.class);
    private static final int COULD_NOT = 2;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // the library looks at it
    private boolean help;

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        Terminal.speakUtf8();
        System.exit(execute(args));
    }

    /** Runs one command and answers its exit code. */
    static int execute(String... args) {
        CommandLine line = new CommandLine(new Main());
        line.setParameterExceptionHandler((problem, given) -> usage(problem));
        line.setExecutionExceptionHandler((problem, command, parsed) -> failure(problem));
        line.setUsageHelpAutoWidth(true);
        line.getSubcommands().values().forEach(Main::nameSettings);
        return line.execute(args);
    }

    private static void nameSettings(CommandLine command) {
        command.getSubcommands().values().forEach(Main::nameSettings);
        if (command.getCommandSpec().findOption("--set") != null) {
            command.getCommandSpec()
                    .usageMessage()
                    .footer(
                            "",
                            "Settings come from --set, from the environment (redis.url is"
                                    + " MILLRACE_REDIS_URL) and from millrace.yaml;",
                            "./millrace help settings lists them all.");
        }
    }

    private static int usage(ParameterException problem) {
        Terminal.note(String.valueOf(problem.getMessage()));
        Terminal.note(
                "try: ./%s --help"
                        .formatted(problem.getCommandLine().getCommandSpec().qualifiedName()));
        return COULD_NOT;
    }

    /** A sentence for whatever went wrong; the stack of a mistake of ours goes to the debug log. */
    private static int failure(Exception problem) {
        switch (problem) {
            case BadSettingsException bad -> bad.problems().forEach(Terminal::note);
            case CannotListenException port -> Terminal.note(String.valueOf(port.getMessage()));
            case RedisException redis ->
                    Terminal.note(SettingNames.in(String.valueOf(redis.getMessage())));
            case BackupException backup ->
                    Terminal.note(SettingNames.in(String.valueOf(backup.getMessage())));
            default -> {
                Terminal.note("something went wrong that should not have: " + problem);
                log.debug("This should not have happened.", problem);
            }
        }
        return COULD_NOT;
    }
}
