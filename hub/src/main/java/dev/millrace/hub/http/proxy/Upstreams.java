package dev.millrace.hub.http.proxy;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The applications, in turn, those that work before those that rest. Thread-safe. */
final class Upstreams {
    private final List<Upstream> all;
    private final boolean below;
    private final AtomicInteger next = new AtomicInteger();

    Upstreams(List<URI> urls) {
        this.all = urls.stream().map(Upstream::new).toList();
        this.below = all.stream().anyMatch(each -> !each.prefix.isEmpty());
    }

    List<Upstream> all() {
        return all;
    }

    /** Whether one of them is only a part of what its server has. */
    boolean anyBelow() {
        return below;
    }

    long working() {
        return all.stream().filter(each -> !each.resting()).count();
    }

    /** One that was not tried yet; empty if all that are left get a rest. */
    Optional<Upstream> choose(Set<Upstream> tried) {
        int from = next.getAndIncrement();
        Set<Upstream> resting = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            Upstream one = all.get(Math.floorMod(from + i, all.size()));
            if (tried.contains(one)) {
                continue;
            }
            if (!one.resting()) {
                return Optional.of(one);
            }
            resting.add(one);
        }
        return resting.stream().filter(Upstream::tryAgain).findFirst();
    }
}
