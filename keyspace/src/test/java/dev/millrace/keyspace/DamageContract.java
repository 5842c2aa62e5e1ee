package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Point;
import dev.millrace.keyspace.Plant.Reader;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.Plant.Tank;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;

import java.util.List;
import java.util.Map;

/** A small world that is damaged by raw commands, and what the check has to make of it. */
abstract class DamageContract extends EngineContract {
    static final Event EVENT = new Event(Shards.mint("pump"), "pump", 7, 0);
    static final Event PUSHED = new Event(Shards.mint("pump"), "pump", 8, 9);
    static final Reading READING = new Reading(Shards.mint("pump"), "pump", "t", 7, "20");
    static final Notice NOTICE = new Notice(Shards.mint("fire"), "fire", "ada", List.of("a", "b"));
    static final Reader READER = new Reader(Shards.mint(""), "bob", "early");
    static final Tank TANK = new Tank("t1", -0.5);

    /** What was there before anything was damaged. */
    private Map<String, Object> whole = Map.of();

    DamageContract(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void plantTheWorld() {
        done(keyspace.store(Plant.EVENTS).create(EVENT));
        done(keyspace.store(Plant.EVENTS).create(PUSHED));
        done(keyspace.store(Plant.READINGS).create(READING));
        done(keyspace.store(Plant.NOTICES).create(NOTICE));
        done(keyspace.store(Plant.READERS).create(READER));
        done(keyspace.store(Plant.TANKS).create(TANK));
        done(keyspace.store(Plant.POINTS).create(new Point("c1", "p1", 1, "bar", null)));
        done(keyspace.store(Plant.ALARMS).create(new Alarm("hot", "active", "1")));
        done(keyspace.store(Plant.DOCUMENTS).create(new Document("recipe", "mix")));
        done(keyspace.commit("n").set(Plant.COUNTER.at("n"), "1").run());
        assertThat(keyspace.check().run().findings()).isEmpty();
        whole = site.dump();
    }

    /** Damage planted on purpose in between belongs to the world from now on. */
    void theWorldIsThis() {
        whole = site.dump();
    }

    /**
     * The one thing that is wrong is found, mended, and found no more: everything is as it was
     * before the damage.
     */
    void isMended(Finding.Kind kind, String owner, String key) {
        CheckReport found = keyspace.check().run();
        assertThat(found.findings()).hasSize(1);
        assertThat(found.left()).isEqualTo(1);
        isAbout(found.findings().getFirst(), kind, owner, key, false);
        CheckReport repaired = keyspace.check().repairing().run();
        assertThat(repaired.findings()).hasSize(1);
        assertThat(repaired.left()).isZero();
        isAbout(repaired.findings().getFirst(), kind, owner, key, true);
        assertThat(site.dump()).isEqualTo(whole);
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    /** The one thing that is wrong is found; a repair changes nothing. */
    void isReported(Finding.Kind kind, String owner, String key) {
        Map<String, Object> damaged = site.dump();
        for (Check check : List.of(keyspace.check(), keyspace.check().repairing())) {
            CheckReport report = check.run();
            assertThat(report.findings()).hasSize(1);
            assertThat(report.left()).isEqualTo(1);
            isAbout(report.findings().getFirst(), kind, owner, key, false);
            assertThat(site.dump()).isEqualTo(damaged);
        }
        driftIsExpected();
    }

    private void isAbout(
            Finding finding, Finding.Kind kind, String owner, String key, boolean repaired) {
        assertThat(finding.kind()).as("%s", finding).isEqualTo(kind);
        assertThat(finding.key()).as("%s", finding).isEqualTo(fullKey(owner, key));
        assertThat(finding.repaired()).as("%s", finding).isEqualTo(repaired);
        assertThat(finding.detail()).isNotEmpty();
    }

    /** Takes the damage back and goes on with the next one. */
    void again() {
        dev.millrace.keyspace.testing.SharedServers.flushAll();
        plantTheWorld();
    }
}
