package dev.millrace.keyspace;

final class CallClusterTest extends CallContract {
    CallClusterTest() {
        super(Site.CLUSTER);
    }
}
