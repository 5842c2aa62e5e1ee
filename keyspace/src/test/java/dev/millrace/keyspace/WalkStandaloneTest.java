package dev.millrace.keyspace;

final class WalkStandaloneTest extends WalkContract {
    WalkStandaloneTest() {
        super(Site.STANDALONE);
    }
}
