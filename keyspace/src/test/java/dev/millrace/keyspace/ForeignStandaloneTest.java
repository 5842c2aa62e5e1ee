package dev.millrace.keyspace;

final class ForeignStandaloneTest extends ForeignContract {
    ForeignStandaloneTest() {
        super(Site.STANDALONE);
    }
}
