package dev.millrace.session;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Put before all other filters, it gives {@code request.getSession()} a session that lives in
 * Millrace. Nothing else in the application changes. What it can be told, by init parameters or by
 * its methods: {@code docs/guide/sessions-library.md}.
 */
public final class MillraceSessionFilter implements Filter {
    /** An attribute that says whose session this is; the hub lists sessions by it. */
    public static final String USER = "dev.millrace.session.user";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private URI address = URI.create("http://127.0.0.1:8080");
    private Optional<String> token = Optional.empty();
    private String cookie = "session";
    private Secure secure = Secure.AUTO;
    private Optional<Duration> idle = Optional.empty();
    private Values values = new Values(Values.STANDARD_CLASSES);
    private @Nullable HubClient hub;

    /** Whether browsers send the cookie over encrypted connections only. */
    private enum Secure {
        /** If it was asked for over one. */
        AUTO,
        YES,
        NO
    }

    /** A hub on this machine, unless told otherwise before the first request. */
    public MillraceSessionFilter() {}

    /** Where the hub is. */
    public MillraceSessionFilter at(String hubUrl) {
        address = URI.create(hubUrl);
        return this;
    }

    /** The API token of an operator, where the hub wants one. */
    public MillraceSessionFilter withToken(String apiToken) {
        token = Optional.of(apiToken);
        return this;
    }

    /** The name of the cookie; the same as {@code shop.sessions.cookie.name} of the hub. */
    public MillraceSessionFilter withCookie(String name) {
        cookie = name;
        return this;
    }

    /** Whether the cookie is for encrypted connections only; by itself, if it came by one. */
    public MillraceSessionFilter withSecureCookie(boolean only) {
        secure = only ? Secure.YES : Secure.NO;
        return this;
    }

    /** How long a session lives that nobody uses; otherwise as long as the hub says. */
    public MillraceSessionFilter withMaxInactive(Duration time) {
        idle = Optional.of(time);
        return this;
    }

    /** Which classes of attributes are read back, as {@code com.example.**;java.base/*;!*}. */
    public MillraceSessionFilter withClasses(String filter) {
        values = new Values(filter);
        return this;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        try {
            parameter(config, "hub").ifPresent(this::at);
            parameter(config, "token").ifPresent(this::withToken);
            parameter(config, "cookie").ifPresent(this::withCookie);
            parameter(config, "secure")
                    .ifPresent(text -> withSecureCookie(Boolean.parseBoolean(text)));
            parameter(config, "max-inactive")
                    .ifPresent(text -> withMaxInactive(Duration.ofSeconds(Long.parseLong(text))));
            parameter(config, "classes").ifPresent(this::withClasses);
        } catch (IllegalArgumentException e) {
            throw new ServletException(
                    "A parameter of the session filter is wrong: " + e.getMessage(), e);
        }
        hub = new HubClient(address, token, PATIENCE);
    }

    private static Optional<String> parameter(FilterConfig config, String name) {
        return Optional.ofNullable(config.getInitParameter(name)).filter(text -> !text.isBlank());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest asked)
                || !(response instanceof HttpServletResponse answer)
                || request.getAttribute(USER) != null) {
            chain.doFilter(request, response);
            return;
        }
        SessionRequest wrapped = new SessionRequest(this, asked, answer);
        SavingResponse saving = new SavingResponse(answer, wrapped::save);
        // A forward comes through here again, with the session it has already.
        request.setAttribute(USER, true);
        try {
            chain.doFilter(wrapped, saving);
            if (wrapped.isAsyncStarted()) {
                wrapped.getAsyncContext().addListener(new Later(wrapped, saving));
            } else {
                wrapped.save();
                saving.finish();
            }
        } catch (HubAwayException e) {
            if (answer.isCommitted()) {
                throw e;
            }
            asked.getServletContext().log(e.getMessage());
            answer.reset();
            answer.sendError(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "Sessions are not available at the moment.");
        } finally {
            request.removeAttribute(USER);
        }
    }

    /** Saves when an answer that took its time is complete. */
    private record Later(SessionRequest request, SavingResponse response) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            request.save();
            response.finish();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // It is completed after this.
        }

        @Override
        public void onError(AsyncEvent event) {
            // It is completed after this.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }

    // ---------------------------------------------------------------- for a request

    HubClient hub() {
        return Objects.requireNonNull(hub, "init has not been called");
    }

    Values values() {
        return values;
    }

    String cookie() {
        return cookie;
    }

    Optional<Duration> idle() {
        return idle;
    }

    void sendCookie(HttpServletRequest request, HttpServletResponse response, String session) {
        boolean encrypted = secure == Secure.YES || (secure == Secure.AUTO && request.isSecure());
        response.addHeader(
                "Set-Cookie",
                cookie
                        + "="
                        + session
                        + "; Path=/; HttpOnly; SameSite=Lax"
                        + (encrypted ? "; Secure" : ""));
    }
}
