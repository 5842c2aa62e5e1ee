package dev.millrace.keyspace;

final class ByteStoreClusterTest extends ByteStoreContract {
    ByteStoreClusterTest() {
        super(Site.CLUSTER);
    }
}
