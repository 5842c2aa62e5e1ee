package dev.millrace.keyspace;

final class CheckClusterTest extends CheckContract {
    CheckClusterTest() {
        super(Site.CLUSTER);
    }
}
