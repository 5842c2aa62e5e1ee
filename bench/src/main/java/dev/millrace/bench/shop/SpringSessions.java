package dev.millrace.bench.shop;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.session.data.redis.config.annotation.web.http.EnableRedisHttpSession;
import org.springframework.session.data.redis.config.annotation.web.http.EnableRedisIndexedHttpSession;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.WebRequest;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.LogManager;

/**
 * Spring Boot with Spring Session on Redis, in a process of its own. It says {@code ready PORT}
 * once it serves, and ends when its standard input does. Its two repositories: the plain one, and
 * the one that knows the sessions of a user and hears of their end.
 */
final class SpringSessions {
    static final String REDIS = "BENCH_REDIS_URL";
    static final String INDEXED = "indexed";
    static final String PLAIN = "plain";
    private static final String USER = "user";

    private SpringSessions() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableRedisHttpSession(redisNamespace = "spring:plain")
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableRedisIndexedHttpSession(redisNamespace = "spring:indexed")
    static class Indexed {}

    /** What a page of a shop does with a session, without the page. */
    @RestController
    static class Api {
        @PostMapping("/login")
        @ResponseStatus(HttpStatus.NO_CONTENT)
        void login(WebRequest request) {
            request.setAttribute(USER, "ada", RequestAttributes.SCOPE_SESSION);
        }

        @GetMapping("/touch")
        String touch(WebRequest request) {
            return String.valueOf(request.getAttribute(USER, RequestAttributes.SCOPE_SESSION));
        }
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("logback.configurationFile", "dev/millrace/bench/logback.xml");
        // The log is ours to configure.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
        SpringApplication application =
                new SpringApplication(
                        args[0].equals(INDEXED) ? Indexed.class : Plain.class, Api.class);
        application.setDefaultProperties(properties(String.valueOf(System.getenv(REDIS))));
        ConfigurableApplicationContext context = application.run();
        System.out.println(
                "ready "
                        + Objects.requireNonNull(
                                        ((WebServerApplicationContext) context).getWebServer())
                                .getPort());
        while (System.in.read() >= 0) {
            // Until whoever started this has gone.
        }
        System.exit(0);
    }

    private static Map<String, Object> properties(String redis) {
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
        if (options.password() != null) {
            properties.put("spring.data.redis.password", options.password());
        }
        return properties;
    }
}
