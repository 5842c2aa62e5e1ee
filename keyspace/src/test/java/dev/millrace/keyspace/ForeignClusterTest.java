package dev.millrace.keyspace;

final class ForeignClusterTest extends ForeignContract {
    ForeignClusterTest() {
        super(Site.CLUSTER);
    }
}
