package dev.millrace.bench.pubsub;

/** What is done again and again. */
public enum Deed {
    EMPTY("POST that does nothing, with the same body: what the server can do"),
    PUBLISH("publish"),
    FETCH("fetch of 10 messages"),
    EMPTY_FETCH("fetch of nothing, without waiting"),
    CYCLE("publish, fetch, acknowledge in turns, on a channel of each connection's own");

    private final String about;

    Deed(String about) {
        this.about = about;
    }

    public String about() {
        return about;
    }
}
