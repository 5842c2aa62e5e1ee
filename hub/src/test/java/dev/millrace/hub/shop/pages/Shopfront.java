package dev.millrace.hub.shop.pages;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.shop.visits.PopularItems;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An application, a hub with its proxy in front of it, and items that are popular. */
final class Shopfront implements AutoCloseable {
    private static final AtomicInteger ITEMS = new AtomicInteger();

    final Application application;
    final TestHub hub;
    final Visitor visitor;

    private Shopfront(Application application, TestHub hub) {
        this.application = application;
        this.hub = hub;
        this.visitor = new Visitor(hub.get("/shop/cache/stats").json().get("address").asString());
    }

    static Shopfront open(String redis, Application application, String... settings) {
        List<String> set =
                new ArrayList<>(
                        List.of(
                                "shop.proxy.port=0",
                                "shop.proxy.upstream=" + application.url(),
                                // Everything that was looked at once is worth it, whatever others
                                // do.
                                "shop.views.cacheable=100000"));
        set.addAll(List.of(settings));
        return new Shopfront(application, TestHub.start(redis, set.toArray(String[]::new)));
    }

    /** Popular items that no other test has, before this hub was asked for any. */
    static String[] items(int count) {
        String[] items = new String[count];
        for (int i = 0; i < count; i++) {
            items[i] = "thing" + ITEMS.incrementAndGet() + "-" + ProcessHandle.current().pid();
        }
        return items;
    }

    /** An item that this hub holds for popular. */
    String popular() {
        String item = items(1)[0];
        PopularItems.seen(hub.keyspace(), item);
        org.awaitility.Awaitility.await()
                .until(
                        () ->
                                !visitor.get("/?item=" + item + "&probe=" + System.nanoTime())
                                        .cache()
                                        .contains("bypass"));
        return item;
    }

    @Override
    public void close() {
        hub.close();
        application.close();
    }
}
