package dev.millrace.hub.cli.tokens;

import dev.millrace.hub.access.Scope;
import dev.millrace.hub.access.Token;
import dev.millrace.hub.cli.terminal.Terminal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Tokens as a table for people. */
final class TokenTable {
    private static final List<String> HEAD =
            List.of("id", "name", "role", "scope", "made", "by", "expires", "last used");

    private TokenTable() {}

    static String of(List<Token> tokens, Instant now) {
        if (tokens.isEmpty()) {
            return "There are no tokens; make one with ./millrace token create.\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Token token : tokens) {
            rows.add(
                    List.of(
                            token.id(),
                            Terminal.shown(token.name()),
                            token.role().word(),
                            scopes(token),
                            Terminal.time(token.created()),
                            Terminal.shown(token.by()),
                            token.expires().map(Terminal::time).orElse("never")
                                    + (token.expired(now) ? " (expired)" : ""),
                            token.lastUsed().map(Terminal::time).orElse("never")));
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width =
                        rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
                line.append(row.get(i)).repeat(' ', width - row.get(i).length() + 2);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    static String scopes(Token token) {
        return token.scopes().isEmpty()
                ? "everything"
                : token.scopes().stream().map(Scope::toString).collect(Collectors.joining(", "));
    }

    static String expiry(Token token) {
        return token.expires().map(end -> "expires " + Terminal.time(end)).orElse("never expires");
    }
}
