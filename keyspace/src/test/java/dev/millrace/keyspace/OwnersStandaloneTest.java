package dev.millrace.keyspace;

final class OwnersStandaloneTest extends OwnersContract {
    OwnersStandaloneTest() {
        super(Site.STANDALONE);
    }
}
