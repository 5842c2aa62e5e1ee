package dev.millrace.keyspace;

final class HomesClusterTest extends HomesContract {
    HomesClusterTest() {
        super(Site.CLUSTER);
    }
}
