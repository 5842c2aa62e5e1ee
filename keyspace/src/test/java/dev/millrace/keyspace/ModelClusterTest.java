package dev.millrace.keyspace;

final class ModelClusterTest extends ModelContract {
    ModelClusterTest() {
        super(Site.CLUSTER);
    }
}
