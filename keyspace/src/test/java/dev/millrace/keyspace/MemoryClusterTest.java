package dev.millrace.keyspace;

final class MemoryClusterTest extends MemoryContract {
    MemoryClusterTest() {
        super(Site.CLUSTER);
    }
}
