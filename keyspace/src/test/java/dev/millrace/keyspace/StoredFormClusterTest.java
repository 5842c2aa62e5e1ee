package dev.millrace.keyspace;

final class StoredFormClusterTest extends StoredFormContract {
    StoredFormClusterTest() {
        super(Site.CLUSTER);
    }
}
