package dev.millrace.keyspace;

final class CallStandaloneTest extends CallContract {
    CallStandaloneTest() {
        super(Site.STANDALONE);
    }
}
