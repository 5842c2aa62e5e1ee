package dev.millrace.keyspace;

final class CommitClusterTest extends CommitContract {
    CommitClusterTest() {
        super(Site.CLUSTER);
    }
}
