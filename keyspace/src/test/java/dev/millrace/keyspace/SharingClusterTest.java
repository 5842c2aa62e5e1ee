package dev.millrace.keyspace;

final class SharingClusterTest extends SharingContract {
    SharingClusterTest() {
        super(Site.CLUSTER);
    }
}
