package dev.millrace.keyspace;

final class FootprintClusterTest extends FootprintContract {
    FootprintClusterTest() {
        super(Site.CLUSTER);
    }
}
