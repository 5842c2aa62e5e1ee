package dev.millrace.hub.ems;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Errors as clients of VoltageEMS read them: the envelope that all of its answers have. */
public final class EmsErrors implements ErrorShape {
    private final InstantSource clock;

    public EmsErrors(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", code(problem.code()));
        error.put("message", problem.detail());
        Map<String, Object> envelope = new LinkedHashMap<>();
        envelope.put("success", false);
        envelope.put("error", error);
        envelope.put("timestamp", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        envelope.put("request_id", requestId);
        return Answer.json(problem.code().status(), envelope);
    }

    /** The words its clients know. */
    private static String code(Code code) {
        return switch (code) {
            case BAD_BODY -> "INVALID_JSON";
            case BAD_PATH, BAD_REQUEST, BAD_PARAMETER, WRONG_HOST, WRONG_VERSION ->
                    "INVALID_PARAMETER";
            case UNAUTHORIZED -> "AUTH_REQUIRED";
            case FORBIDDEN, FOREIGN_ORIGIN -> "PERMISSION_DENIED";
            case NOT_FOUND, GONE -> "NOT_FOUND";
            case METHOD_NOT_ALLOWED -> "METHOD_NOT_ALLOWED";
            case CONFLICT -> "ALREADY_EXISTS";
            case TOO_MANY_ATTEMPTS -> "RATE_LIMIT_EXCEEDED";
            case TOO_LARGE, PATH_TOO_LONG, HEADERS_TOO_LARGE -> "PAYLOAD_TOO_LARGE";
            case WRONG_ENCODING -> "UNSUPPORTED_MEDIA_TYPE";
            case TOO_SLOW -> "REQUEST_TIMEOUT";
            case INTERNAL -> "INTERNAL_ERROR";
            case UNAVAILABLE, OUTCOME_UNKNOWN -> "STORE_UNAVAILABLE";
            case OVERLOADED, STOPPING, TIME_OUT -> "SERVICE_UNAVAILABLE";
        };
    }
}
