package dev.millrace.bench.commit;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.repository.configuration.EnableRedisRepositories;

/** A repository of Spring Data Redis, with the beans that Spring Boot would make: Lettuce. */
final class SpringData implements Contestant.Work, AutoCloseable {
    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext();
    private final SpringEvents events;

    SpringData(RedisOptions options) {
        Endpoint endpoint = options.endpoints().getFirst();
        RedisStandaloneConfiguration server =
                new RedisStandaloneConfiguration(endpoint.host(), endpoint.port());
        server.setDatabase(options.database());
        server.setUsername(options.user());
        server.setPassword(options.password());
        context.registerBean(RedisStandaloneConfiguration.class, () -> server);
        context.register(Beans.class);
        context.refresh();
        events = context.getBean(SpringEvents.class);
    }

    @Override
    public void once(int thread) {
        events.save(SpringEvent.of(Event.next()));
    }

    @Override
    public void close() {
        context.close();
    }

    /** What Spring Boot configures by itself. */
    @Configuration(proxyBeanMethods = false)
    @EnableRedisRepositories
    static class Beans {
        @Bean
        LettuceConnectionFactory connectionFactory(RedisStandaloneConfiguration server) {
            return new LettuceConnectionFactory(server);
        }

        @Bean
        RedisTemplate<?, ?> redisTemplate(RedisConnectionFactory connections) {
            RedisTemplate<?, ?> template = new RedisTemplate<>();
            template.setConnectionFactory(connections);
            return template;
        }
    }
}
