package dev.millrace.bench.http;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.LogManager;

/**
 * Spring Boot as one would take it today: Tomcat, virtual threads, Lettuce. Two of its defaults
 * would make it slower than it need be and are changed: a connection is not closed after a hundred
 * requests, and transactions have more than eight connections to Redis.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SpringServer {

    static int start(String redis) {
        // The log is ours to configure.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
        RedisOptions options = RedisOptions.of(redis);
        Endpoint endpoint = options.endpoints().getFirst();
        Map<String, Object> properties = new HashMap<>();
        properties.put("server.address", "127.0.0.1");
        properties.put("server.port", 0);
        properties.put("server.tomcat.max-keep-alive-requests", -1);
        properties.put("spring.threads.virtual.enabled", true);
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.data.redis.repositories.enabled", false);
        properties.put("spring.data.redis.host", endpoint.host());
        properties.put("spring.data.redis.port", endpoint.port());
        properties.put("spring.data.redis.database", options.database());
        properties.put("spring.data.redis.lettuce.pool.max-active", 64);
        properties.put("spring.data.redis.lettuce.pool.max-idle", 64);
        if (options.user() != null) {
            properties.put("spring.data.redis.username", options.user());
        }
        if (options.password() != null) {
            properties.put("spring.data.redis.password", options.password());
        }
        SpringApplication application = new SpringApplication(SpringServer.class, SpringApi.class);
        application.setDefaultProperties(properties);
        ConfigurableApplicationContext context = application.run();
        return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer())
                .getPort();
    }
}
