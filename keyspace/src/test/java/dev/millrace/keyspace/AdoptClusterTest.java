package dev.millrace.keyspace;

final class AdoptClusterTest extends AdoptContract {
    AdoptClusterTest() {
        super(Site.CLUSTER);
    }
}
