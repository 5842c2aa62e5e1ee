package dev.millrace.hub.access;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of API tokens. The audit is a feed, whose keys are the engine's. */
public final class AccessLayouts {
    static final String BY_TIME = "millrace:tokens";
    static final String BY_NAME = "millrace:tokens:name";

    static final Layout<StoredToken> TOKENS =
            Layout.json("millrace:token:{id:opaque}", StoredToken.class, KeyGrammars.ALL)
                    .named("API token")
                    .about("Who may do what: role and scopes, and a hash of the secret.")
                    .ownedBySite()
                    .sorted(BY_TIME, StoredToken::createdMillis)
                    .unique(BY_NAME, "name");

    static final Layout<Generation> GENERATIONS =
            Layout.json("millrace:access:{about:name}", Generation.class)
                    .named("Access generation")
                    .about("Changes with every token made or revoked, so that all hubs notice.")
                    .ownedBySite();

    private AccessLayouts() {}

    public static List<Declaration> all() {
        return List.of(TOKENS, GENERATIONS);
    }
}
