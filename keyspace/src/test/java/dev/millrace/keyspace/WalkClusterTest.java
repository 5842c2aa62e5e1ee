package dev.millrace.keyspace;

final class WalkClusterTest extends WalkContract {
    WalkClusterTest() {
        super(Site.CLUSTER);
    }
}
