package dev.millrace.keyspace;

final class HomesStandaloneTest extends HomesContract {
    HomesStandaloneTest() {
        super(Site.STANDALONE);
    }
}
