package dev.millrace.keyspace;

final class FootprintStandaloneTest extends FootprintContract {
    FootprintStandaloneTest() {
        super(Site.STANDALONE);
    }
}
