package dev.millrace.keyspace;

final class ValueClusterTest extends ValueContract {
    ValueClusterTest() {
        super(Site.CLUSTER);
    }
}
