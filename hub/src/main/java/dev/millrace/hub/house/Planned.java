package dev.millrace.hub.house;

import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.layout.Declaration;

import java.util.List;

/**
 * A room that is not furnished yet. Its keys are declared all the same, so that no other room takes
 * them.
 */
public record Planned(String name, String about, List<Declaration> declarations) implements Room {
    public Planned {
        declarations = List.copyOf(declarations);
    }

    @Override
    public void start(House house) {}

    @Override
    public List<Route> routes() {
        return List.of();
    }

    @Override
    public void stop() {}
}
