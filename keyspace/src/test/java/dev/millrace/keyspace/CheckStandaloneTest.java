package dev.millrace.keyspace;

final class CheckStandaloneTest extends CheckContract {
    CheckStandaloneTest() {
        super(Site.STANDALONE);
    }
}
