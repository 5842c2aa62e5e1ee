package dev.millrace.keyspace;

final class AdoptStandaloneTest extends AdoptContract {
    AdoptStandaloneTest() {
        super(Site.STANDALONE);
    }
}
