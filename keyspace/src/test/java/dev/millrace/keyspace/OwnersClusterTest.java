package dev.millrace.keyspace;

final class OwnersClusterTest extends OwnersContract {
    OwnersClusterTest() {
        super(Site.CLUSTER);
    }
}
