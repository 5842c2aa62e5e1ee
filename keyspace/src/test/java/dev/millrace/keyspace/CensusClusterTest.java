package dev.millrace.keyspace;

final class CensusClusterTest extends CensusContract {
    CensusClusterTest() {
        super(Site.CLUSTER);
    }
}
