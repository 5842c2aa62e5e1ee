package dev.millrace.keyspace;

final class QueryClusterTest extends QueryContract {
    QueryClusterTest() {
        super(Site.CLUSTER);
    }
}
