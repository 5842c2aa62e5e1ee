package dev.millrace.keyspace;

final class CommitStandaloneTest extends CommitContract {
    CommitStandaloneTest() {
        super(Site.STANDALONE);
    }
}
