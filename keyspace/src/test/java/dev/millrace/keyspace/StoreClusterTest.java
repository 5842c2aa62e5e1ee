package dev.millrace.keyspace;

final class StoreClusterTest extends StoreContract {
    StoreClusterTest() {
        super(Site.CLUSTER);
    }
}
