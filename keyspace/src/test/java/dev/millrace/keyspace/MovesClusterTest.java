package dev.millrace.keyspace;

final class MovesClusterTest extends MovesContract {
    MovesClusterTest() {
        super(Site.CLUSTER);
    }
}
