package dev.millrace.keyspace;

final class HomeCheckClusterTest extends HomeCheckContract {
    HomeCheckClusterTest() {
        super(Site.CLUSTER);
    }
}
