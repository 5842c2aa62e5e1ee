package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** Owners that are no plain variable: told by the id, named by the writer, or the site. */
@OnEachSite
final class OwnersTest extends EngineContract {
    record Page(String path, String text) {}

    record Watch(String id, String source) {
        String home() {
            return source.startsWith("model") ? Declaration.SITE : source;
        }
    }

    private static final Layout<Page> PAGES =
            Layout.json("page:{path:path}", Page.class)
                    .ownedBy("first part", OwnersTest::firstPart)
                    .sorted("pages", 0);

    private static final Layout<Watch> WATCHES =
            Layout.hash("watch:{id:name}", Watch.class)
                    .bind("home", Watch::home)
                    .ownedBy("home")
                    .set("watches");

    /** What each user sees last; one hash, or in a cluster one in every shard. */
    private static final Cell SEEN = Cell.of(KeyType.HASH, "seen").livesWith("user");

    private static final Cell CART = Cell.of(KeyType.HASH, "cart:{user:name}").ownedBy("user");

    private static final Catalogue CATALOGUE = Keyspace.catalogue(PAGES, WATCHES, SEEN, CART);

    OwnersTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return CATALOGUE;
    }

    private static String firstPart(String path) {
        int colon = path.indexOf(':');
        return colon < 0 ? path : path.substring(0, colon);
    }

    @Test
    void an_owner_told_by_the_id_needs_no_pointer_and_no_search() {
        Store<Page> pages = keyspace.store(PAGES);
        pages.create(new Page("brew:recipes:stout", "…")).orThrow();
        pages.put(new Page("brew:units", "degC")).orThrow();
        assertThat(raw("brew", "EXISTS", "page:brew:recipes:stout")).isEqualTo(1L);
        assertThat(raw("brew", "ZCARD", "pages")).isEqualTo(2L);
        assertThat(pages.get("brew:units").orElseThrow().value().text()).isEqualTo("degC");
        assertThat(pages.query("pages").count()).isEqualTo(2);
        assertThat(pages.delete("brew:units").isDone()).isTrue();
        assertThat(keyspace.check().run().unknown()).isZero();
    }

    @Test
    void a_cell_whose_key_does_not_name_its_owner_is_written_with_the_owners_things() {
        keyspace.commit("ann")
                .setFields(SEEN.of("ann"), Map.of("ann", "stout"))
                .setFields(CART.at("ann"), Map.of("stout", "2"))
                .run()
                .orThrow();
        assertThat(raw("ann", "HGET", "seen", "ann")).isEqualTo("stout");
    }

    @Test
    void such_a_cell_wants_to_know_whose_it_is() {
        assertThatThrownBy(SEEN::at).hasMessageContaining("lives with its user");
        assertThatThrownBy(() -> CART.of("ann", "ann")).hasMessageContaining("in the key");
    }

    @Test
    void an_owner_may_be_the_site() {
        keyspace.store(WATCHES).create(new Watch("warm", "model:tr_1")).orThrow();
        keyspace.store(WATCHES).create(new Watch("cold", "1")).orThrow();
        assertThat(raw(Declaration.SITE, "SISMEMBER", "watches", "warm")).isEqualTo(1L);
        assertThat(raw("1", "SISMEMBER", "watches", "cold")).isEqualTo(1L);
    }
}
