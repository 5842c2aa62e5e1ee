package dev.millrace.keyspace;

final class StoppedProcessClusterTest extends StoppedProcessContract {
    StoppedProcessClusterTest() {
        super(Site.CLUSTER);
    }
}
