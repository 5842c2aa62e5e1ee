package dev.millrace.hub.mqtt.embedded;

import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerBindingPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who listens to what. The broker has a queue for every subscription, be its client there or away,
 * bound to an address that is the filter without the name of a group; and it tells here of each
 * before it acknowledges the subscription, and of those on disk when it starts. Thread-safe.
 */
final class Roster implements ActiveMQServerBindingPlugin {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, String> filters = new HashMap<>();
    private final List<Listeners> watched = new ArrayList<>();

    @Override
    public void afterAddBinding(Binding binding) {
        lock.lock();
        try {
            String filter = binding.getAddress().toString();
            filters.put(binding.getID(), filter);
            watched.forEach(each -> each.came(binding.getID(), filter));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void afterRemoveBinding(Binding binding, @Nullable Transaction tx, boolean deleteData) {
        lock.lock();
        try {
            filters.remove(binding.getID());
            watched.forEach(each -> each.left(binding.getID()));
        } finally {
            lock.unlock();
        }
    }

    /** Those who listen to any of these topics, now and later. */
    Listeners listeners(String topics) {
        lock.lock();
        try {
            Listeners listeners = new Listeners(topics);
            filters.forEach(listeners::came);
            watched.add(listeners);
            return listeners;
        } finally {
            lock.unlock();
        }
    }
}
