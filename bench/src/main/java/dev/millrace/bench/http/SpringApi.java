package dev.millrace.bench.http;

import dev.millrace.bench.commit.Event;

import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;

/** The three workloads as a controller. */
@RestController
class SpringApi {
    private static final String ALL = "event";
    private static final String CREATED = "event:created";
    private static final String PUSHED = "event:pushed";
    private static final String DEVICE = "event:device:";

    private static final RedisScript<Long> CREATE =
            RedisScript.of(
                    new ClassPathResource("dev/millrace/bench/commit/HandWritten.create.lua"),
                    Long.class);

    private final StringRedisTemplate redis;
    private final JsonMapper json;

    SpringApi(StringRedisTemplate redis, JsonMapper json) {
        this.redis = redis;
        this.json = json;
    }

    @GetMapping("/empty")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void empty() {}

    @PostMapping("/echo")
    Event echo(@RequestBody Event event) {
        return event;
    }

    /** All or nothing, as the manual shows it; whether the id is new is not looked at. */
    @PostMapping("/event")
    @ResponseStatus(HttpStatus.CREATED)
    String store(@RequestBody Event body) {
        Event event = Workload.arrived(body);
        String text = json.writeValueAsString(event);
        List<Object> results =
                redis.execute(
                        new SessionCallback<List<Object>>() {
                            @Override
                            public <K, V> List<Object> execute(RedisOperations<K, V> session)
                                    throws DataAccessException {
                                session.multi();
                                // On the same connection: it is bound to this thread.
                                redis.opsForValue().set(event.id(), text);
                                redis.opsForZSet().add(ALL, event.id(), 0);
                                redis.opsForZSet().add(CREATED, event.id(), event.created());
                                redis.opsForZSet().add(PUSHED, event.id(), event.pushed());
                                redis.opsForZSet()
                                        .add(DEVICE + event.device(), event.id(), event.created());
                                return session.exec();
                            }
                        });
        if (results == null || results.size() != 5) {
            throw new IllegalStateException("Not stored.");
        }
        return event.id();
    }

    /** The script that one writes by hand, on Spring's shared connection. */
    @PostMapping("/script/event")
    @ResponseStatus(HttpStatus.CREATED)
    String storeByScript(@RequestBody Event body) {
        Event event = Workload.arrived(body);
        Long stored =
                redis.execute(
                        CREATE,
                        List.of(event.id(), ALL, CREATED, PUSHED, DEVICE + event.device()),
                        json.writeValueAsString(event),
                        event.id(),
                        Long.toString(event.created()),
                        Long.toString(event.pushed()));
        if (stored == null || stored != 1) {
            throw new IllegalStateException("The event exists already.");
        }
        return event.id();
    }
}
