package dev.millrace.hub.access;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Refused tokens since the last report, so that the audit has a line a minute about them and not
 * one for each. Thread-safe.
 */
final class Refusals {
    private static final int NAMED = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> byAddress = new LinkedHashMap<>();
    private long others;

    void count(InetAddress peer) {
        String address = peer.getHostAddress();
        lock.lock();
        try {
            if (byAddress.size() < NAMED || byAddress.containsKey(address)) {
                byAddress.merge(address, 1, Integer::sum);
            } else {
                others++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@code 12 from 10.0.0.7, 3 from 10.0.0.9}, and begins anew; empty if there were none. */
    Optional<String> take() {
        lock.lock();
        try {
            if (byAddress.isEmpty()) {
                return Optional.empty();
            }
            String text =
                    byAddress.entrySet().stream()
                            .map(each -> "%d from %s".formatted(each.getValue(), each.getKey()))
                            .collect(Collectors.joining(", "));
            String rest = others == 0 ? "" : ", %d from others".formatted(others);
            byAddress.clear();
            others = 0;
            return Optional.of(text + rest);
        } finally {
            lock.unlock();
        }
    }
}
