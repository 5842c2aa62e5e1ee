package dev.millrace.keyspace;

final class LeaseStandaloneTest extends LeaseContract {
    LeaseStandaloneTest() {
        super(Site.STANDALONE);
    }
}
