package dev.millrace.hub.roles;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;

import dev.millrace.keyspace.testing.TestServer;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that a request could change: each key of Redis with a digest of its value and the time
 * at which it expires, so that a life that was renewed shows too, and the levels of the log.
 * Settings cannot be changed while the hub runs.
 *
 * <p>Left out is only what the hub notes by itself, whether somebody asks or not:
 *
 * <ul>
 *   <li>{@code millrace:lease:*} and {@code millrace:fence:*}: which hub has which duty; renewed
 *       every few seconds.
 *   <li>{@code millrace:once:*}: marks by which Redis knows a commit that comes twice. They end
 *       after a while by themselves; what the commit wrote is looked at.
 *   <li>{@code millrace:feed-readers:*}: how far the hub's own readers of a feed are. They follow
 *       what was written some time later; the feed itself is looked at.
 *   <li>{@code status:service:*}, {@code millrace:hubs} and the lock {@code supervisor}: that the
 *       hub is alive, every few seconds.
 *   <li>{@code temp:session:*}: what somebody has for himself alone.
 *   <li>when a token was used last: the hub's own note about whoever asks, which nothing reads but
 *       the list of tokens. Everything else of a token is looked at.
 * </ul>
 */
record State(Map<String, String> parts) {
    private static final String LOOK =
            """
            -- DUMP gives sets and hashes in the order of their tables, which Redis changes by itself.
            local function content(key)
              local parts = {}
              local of = redis.call('TYPE', key).ok
              if of == 'set' then
                parts = redis.call('SMEMBERS', key)
              elseif of == 'hash' then
                local flat = redis.call('HGETALL', key)
                for i = 1, #flat, 2 do parts[#parts + 1] = flat[i] .. '\\0' .. flat[i + 1] end
              else
                return redis.call('DUMP', key)
              end
              table.sort(parts)
              return of .. table.concat(parts, '\\0\\0')
            end
            local found = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local kind = string.match(key, '^millrace:([^:]*)')
              local heartbeat = string.match(key, '^status:service:') or string.match(key, '^temp:session:') or string.match(key, '^sync:.*:supervisor$')
              if not heartbeat and kind ~= 'hubs' and kind ~= 'lease' and kind ~= 'fence' and kind ~= 'once' and kind ~= 'feed-readers' then
                local value = content(key)
                if kind == 'token' then
                  value = string.gsub(redis.call('GET', key), ',?"used":[^,}]*', '')
                end
                found[#found + 1] = key
                found[#found + 1] = redis.sha1hex(value) .. ' ' .. redis.call('PEXPIRETIME', key)
              end
            end
            return found
            """;

    static State of(TestServer redis) {
        Map<String, String> parts = new TreeMap<>();
        List<?> found = (List<?>) Objects.requireNonNull(redis.command("EVAL", LOOK, "0"));
        for (int i = 0; i < found.size(); i += 2) {
            parts.put("key " + found.get(i), String.valueOf(found.get(i + 1)));
        }
        for (Logger logger : ((LoggerContext) LoggerFactory.getILoggerFactory()).getLoggerList()) {
            if (logger.getLevel() != null) {
                parts.put("level of " + logger.getName(), logger.getLevel().toString());
            }
        }
        return new State(parts);
    }

    /** The names of what is different there. */
    Set<String> changedIn(State later) {
        Set<String> changed = new TreeSet<>(parts.keySet());
        changed.addAll(later.parts.keySet());
        changed.removeIf(name -> Objects.equals(parts.get(name), later.parts.get(name)));
        return changed;
    }
}
