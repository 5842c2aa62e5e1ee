package dev.millrace.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A session during one request. What is changed in it is written once, when the answer begins; an
 * attribute that was read and then changed inside counts as changed. For one request, whose threads
 * may share it.
 */
final class KeptSession implements HttpSession {
    private final ServletContext context;
    private final HubClient hub;
    private final Values values;
    private final HubClient.Kept kept;
    private final boolean fresh;
    private String token;
    private boolean ended;

    /** As they are at the hub. */
    private final Map<String, JsonNode> stored;

    /** Those that were read or set. */
    private final Map<String, Object> live = new HashMap<>();

    private final TreeSet<String> removed = new TreeSet<>();
    private String user;

    /** Whose it is at the hub. */
    private String given;

    KeptSession(
            ServletContext context,
            HubClient hub,
            Values values,
            HubClient.Kept kept,
            boolean fresh) {
        this.context = context;
        this.hub = hub;
        this.values = values;
        this.kept = kept;
        this.fresh = fresh;
        this.token = kept.token();
        this.user = kept.user();
        this.given = kept.user();
        this.stored = new HashMap<>(kept.attributes());
    }

    /** Writes what has changed; does nothing a second time. */
    synchronized void save() {
        if (ended) {
            return;
        }
        Map<String, JsonNode> changes = new HashMap<>();
        live.forEach(
                (name, value) -> {
                    JsonNode now = values.write(value);
                    if (!now.equals(stored.get(name))) {
                        changes.put(name, now);
                    }
                });
        removed.forEach(name -> changes.put(name, JsonNodeFactory.instance.nullNode()));
        if (!changes.isEmpty()) {
            if (!hub.change(token, changes)) {
                // Somebody has ended it meanwhile; what was to be kept is gone with it.
                ended = true;
                return;
            }
            changes.forEach(stored::put);
            removed.forEach(stored::remove);
            removed.clear();
        }
        if (!user.equals(given)) {
            hub.give(token, user);
            given = user;
        }
    }

    /** Gives it a new token, as after a login. */
    synchronized String rotate() {
        mustLive();
        token =
                hub.rotate(token)
                        .orElseThrow(() -> new IllegalStateException("The session has ended."));
        return token;
    }

    synchronized boolean ended() {
        return ended;
    }

    private void mustLive() {
        if (ended) {
            throw new IllegalStateException("The session has ended.");
        }
    }

    // ---------------------------------------------------------------- as the servlet API wants it

    @Override
    public synchronized String getId() {
        return token;
    }

    @Override
    public long getCreationTime() {
        mustLive();
        return kept.created().toEpochMilli();
    }

    @Override
    public long getLastAccessedTime() {
        mustLive();
        return kept.seen().toEpochMilli();
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public int getMaxInactiveInterval() {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, kept.idle().toSeconds()));
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        if (seconds != getMaxInactiveInterval()) {
            throw new UnsupportedOperationException(
                    "How long a session lives is said when it is made: by max-inactive of the"
                            + " filter, or shop.sessions.idle of the hub.");
        }
    }

    @Override
    public synchronized @Nullable Object getAttribute(String name) {
        mustLive();
        if (name.equals(MillraceSessionFilter.USER)) {
            return user.isEmpty() ? null : user;
        }
        Object there = live.get(name);
        JsonNode json = stored.get(name);
        if (there == null && json != null && !removed.contains(name)) {
            there = values.read(json);
            if (there != null) {
                live.put(name, there);
            }
        }
        return there;
    }

    @Override
    public synchronized Enumeration<String> getAttributeNames() {
        mustLive();
        TreeSet<String> names = new TreeSet<>(stored.keySet());
        names.addAll(live.keySet());
        names.removeAll(removed);
        return Collections.enumeration(names);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (value == null) {
            removeAttribute(name);
            return;
        }
        Optional<Object> before;
        synchronized (this) {
            mustLive();
            if (name.equals(MillraceSessionFilter.USER)) {
                user = String.valueOf(value);
                return;
            }
            // What cannot be kept is refused here, where somebody can see who did it.
            JsonNode json = values.write(value);
            before = json.isNull() ? Optional.empty() : Optional.ofNullable(getAttribute(name));
            removed.remove(name);
            live.put(name, value);
        }
        before.filter(old -> isAnother(old, value)).ifPresent(old -> unbound(name, old));
        if (value instanceof HttpSessionBindingListener listener) {
            listener.valueBound(new HttpSessionBindingEvent(this, name, value));
        }
    }

    @Override
    public void removeAttribute(String name) {
        Optional<Object> before;
        synchronized (this) {
            mustLive();
            if (name.equals(MillraceSessionFilter.USER)) {
                user = "";
                return;
            }
            before = Optional.ofNullable(getAttribute(name));
            live.remove(name);
            if (stored.containsKey(name)) {
                removed.add(name);
            }
        }
        before.ifPresent(old -> unbound(name, old));
    }

    @SuppressWarnings("ReferenceEquality") // An object that is set again was not taken away.
    private static boolean isAnother(Object one, Object other) {
        return one != other;
    }

    private void unbound(String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            listener.valueUnbound(new HttpSessionBindingEvent(this, name, value));
        }
    }

    @Override
    public void invalidate() {
        Map<String, Object> all;
        synchronized (this) {
            mustLive();
            hub.end(token);
            ended = true;
            all = Map.copyOf(live);
        }
        all.forEach(this::unbound);
    }

    @Override
    public boolean isNew() {
        mustLive();
        return fresh;
    }
}
