package dev.millrace.keyspace;

final class MovesStandaloneTest extends MovesContract {
    MovesStandaloneTest() {
        super(Site.STANDALONE);
    }
}
