package dev.millrace.hub.cli.tokens;

import dev.millrace.hub.Rooms;
import dev.millrace.hub.Settings;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.access.Token;
import dev.millrace.hub.access.Tokens;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code token create}: makes a token and prints it, this once. */
@Command(
        name = "create",
        description = {
            "Make a token. Its text goes to standard output, alone on a line; it is kept nowhere"
                    + " and cannot be shown again.",
            "A first token can be made before the hub was ever started."
        })
final class TokenCreateCommand implements Callable<Integer> {
    @Mixin private SettingsOptions options = new SettingsOptions();

    @Parameters(paramLabel = "NAME", description = "What it is for, for example grafana.")
    private String name = "";

    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            converter = RoleConverter.class,
            description =
                    "viewer reads; operator also acknowledges, commands and writes data; engineer"
                            + " also configures; admin also tokens, backup, logs.")
    private Role role = Role.VIEWER;

    @Option(
            names = "--scope",
            paramLabel = "ROOM[/NAMESPACE]",
            converter = ScopeConverter.class,
            description =
                    "Only there, for example documents/brewery. May be repeated; without it,"
                            + " everywhere.")
    private List<Scope> scopes = new ArrayList<>();

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "From now, for example 12h or 90d; without it, never.")
    private @Nullable Duration expires;

    @Override
    public Integer call() {
        Settings settings = options.settings();
        Tokens.Wish wish = new Tokens.Wish(name, role, scopes, Optional.ofNullable(expires));
        try (SiteRedis site = SiteRedis.fill(settings)) {
            Outcome<Tokens.Made> outcome =
                    TokenCommand.tokens(site).create(wish, TokenCommand.actor());
            return switch (outcome) {
                case Outcome.Done<Tokens.Made>(Tokens.Made made) -> print(made, site);
                case Outcome.Unconfirmed<Tokens.Made>(Tokens.Made made, String detail) -> {
                    Terminal.note("warning: " + detail);
                    yield print(made, site);
                }
                case Outcome.NotDone<Tokens.Made>(Reason reason, String detail) -> {
                    Terminal.note(detail);
                    yield reason.passes() ? 2 : 1;
                }
                case Outcome.Unknown<Tokens.Made>(String detail) -> {
                    Terminal.note(detail);
                    Terminal.note(
                            "the token may have been made, but its text is lost; look with token"
                                    + " list, and revoke it if it is there.");
                    yield 2;
                }
            };
        }
    }

    private static int print(Tokens.Made made, SiteRedis site) {
        Token token = made.token();
        Terminal.note(
                "made the token %s with the id %s in %s: %s, %s, %s. Keep it now; it is not shown"
                                .formatted(
                                        token.name(),
                                        token.id(),
                                        site,
                                        token.role().word(),
                                        TokenTable.scopes(token),
                                        TokenTable.expiry(token))
                        + " again.");
        System.out.println(made.text());
        return 0;
    }

    /** The sentences of the parsers, where the library would say only which class it wanted. */
    static final class RoleConverter implements ITypeConverter<Role> {
        @Override
        public Role convert(String text) {
            try {
                return Role.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    static final class ScopeConverter implements ITypeConverter<Scope> {
        @Override
        public Scope convert(String text) {
            try {
                return Scope.parse(text).in(Rooms.scopes());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    static final class TimeConverter implements ITypeConverter<Duration> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

        @Override
        public Duration convert(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw new TypeConversionException(
                        "'%s' is not a valid time; write 30m, 12h or 90d.".formatted(text));
            }
            long count = Long.parseLong(form.group(1));
            return switch (form.group(2)) {
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
            };
        }
    }
}
