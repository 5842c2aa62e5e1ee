package dev.millrace.session;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Pattern;

/** A request whose session is at the hub; it is asked when somebody asks for the session. */
final class SessionRequest extends HttpServletRequestWrapper {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,128}");

    private final MillraceSessionFilter filter;
    private final HttpServletResponse response;
    private @Nullable KeptSession session;
    private boolean looked;
    private boolean valid;

    SessionRequest(
            MillraceSessionFilter filter,
            HttpServletRequest request,
            HttpServletResponse response) {
        super(request);
        this.filter = filter;
        this.response = response;
    }

    /** Writes what has changed in the session, if anybody asked for one. */
    void save() {
        KeptSession current = session;
        if (current != null) {
            current.save();
        }
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        KeptSession current = look();
        if (current != null || !create) {
            return current;
        }
        if (response.isCommitted()) {
            throw new IllegalStateException(
                    "The answer has begun: a new session could not tell its cookie.");
        }
        KeptSession made =
                new KeptSession(
                        getServletContext(),
                        filter.hub(),
                        filter.values(),
                        filter.hub().create(filter.idle()),
                        true);
        session = made;
        filter.sendCookie(this, response, made.getId());
        return made;
    }

    private @Nullable KeptSession look() {
        KeptSession current = session;
        if (current != null && !current.ended()) {
            return current;
        }
        if (!looked) {
            looked = true;
            Optional<HubClient.Kept> kept = requested().flatMap(token -> filter.hub().touch(token));
            valid = kept.isPresent();
            session =
                    kept.map(
                                    each ->
                                            new KeptSession(
                                                    getServletContext(),
                                                    filter.hub(),
                                                    filter.values(),
                                                    each,
                                                    false))
                            .orElse(null);
            return session;
        }
        return null;
    }

    private Optional<String> requested() {
        Cookie[] cookies = getCookies();
        if (cookies != null) {
            for (Cookie each : cookies) {
                if (each.getName().equals(filter.cookie())
                        && TOKEN.matcher(each.getValue()).matches()) {
                    return Optional.of(each.getValue());
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public String changeSessionId() {
        KeptSession current = look();
        if (current == null) {
            throw new IllegalStateException("There is no session whose id could change.");
        }
        String token = current.rotate();
        filter.sendCookie(this, response, token);
        return token;
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return requested().orElse(null);
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        look();
        return valid;
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return requested().isPresent();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return false;
    }
}
