package dev.millrace.keyspace;

final class LeaseClusterTest extends LeaseContract {
    LeaseClusterTest() {
        super(Site.CLUSTER);
    }
}
