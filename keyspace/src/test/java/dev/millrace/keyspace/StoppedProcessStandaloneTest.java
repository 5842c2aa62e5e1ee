package dev.millrace.keyspace;

final class StoppedProcessStandaloneTest extends StoppedProcessContract {
    StoppedProcessStandaloneTest() {
        super(Site.STANDALONE);
    }
}
