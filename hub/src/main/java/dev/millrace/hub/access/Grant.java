package dev.millrace.hub.access;

import java.util.List;

/**
 * A role, and where it holds.
 *
 * @param scopes none means everywhere
 */
public record Grant(Role role, List<Scope> scopes) {

    public Grant {
        scopes = List.copyOf(scopes);
    }

    static Grant everywhere(Role role) {
        return new Grant(role, List.of());
    }

    boolean covers(String room) {
        return scopes.isEmpty() || scopes.stream().anyMatch(scope -> scope.covers(room));
    }

    boolean covers(String room, String namespace) {
        return scopes.isEmpty() || scopes.stream().anyMatch(scope -> scope.covers(room, namespace));
    }

    boolean touches(String room) {
        return scopes.isEmpty() || scopes.stream().anyMatch(scope -> scope.touches(room));
    }
}
