package dev.millrace.keyspace;

final class QueryStandaloneTest extends QueryContract {
    QueryStandaloneTest() {
        super(Site.STANDALONE);
    }
}
