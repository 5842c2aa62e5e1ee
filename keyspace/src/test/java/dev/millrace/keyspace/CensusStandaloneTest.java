package dev.millrace.keyspace;

final class CensusStandaloneTest extends CensusContract {
    CensusStandaloneTest() {
        super(Site.STANDALONE);
    }
}
