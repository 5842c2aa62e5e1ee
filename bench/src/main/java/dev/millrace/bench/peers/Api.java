package dev.millrace.bench.peers;

/** The APIs that others speak, too. */
enum Api {
    EDGEX("EdgeX core data"),
    BREWBLOX("the Brewblox datastore"),
    DSPS("the durable pub/sub server");

    private final String about;

    Api(String about) {
        this.about = about;
    }

    String about() {
        return about;
    }
}
