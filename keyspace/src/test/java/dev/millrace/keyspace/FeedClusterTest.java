package dev.millrace.keyspace;

final class FeedClusterTest extends FeedContract {
    FeedClusterTest() {
        super(Site.CLUSTER);
    }
}
