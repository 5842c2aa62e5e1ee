package dev.millrace.hub.ems;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Problem;

import java.time.InstantSource;
import java.util.Map;

/** Errors as clients of VoltageEMS read them: the envelope that all of its answers have. */
public final class EmsErrors implements ErrorShape {
    private final Envelope envelope;

    public EmsErrors(InstantSource clock) {
        this.envelope = new Envelope(clock);
    }

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        return envelope.failure(
                problem.code().status(),
                code(problem).name(),
                problem.detail(),
                Map.of(),
                requestId);
    }

    private static EmsCode code(Problem problem) {
        return problem.detail().equals(Gate.SESSION_ENDED)
                ? EmsCode.SESSION_EXPIRED
                : code(problem.code());
    }

    /** The words its clients know. */
    private static EmsCode code(Code code) {
        return switch (code) {
            case BAD_BODY -> EmsCode.INVALID_JSON;
            case BAD_PATH, BAD_REQUEST, BAD_PARAMETER, WRONG_HOST, WRONG_VERSION ->
                    EmsCode.INVALID_PARAMETER;
            case UNAUTHORIZED -> EmsCode.AUTH_REQUIRED;
            case FORBIDDEN, FOREIGN_ORIGIN -> EmsCode.PERMISSION_DENIED;
            case NOT_FOUND, GONE -> EmsCode.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> EmsCode.METHOD_NOT_ALLOWED;
            case CONFLICT -> EmsCode.ALREADY_EXISTS;
            case TOO_MANY_ATTEMPTS -> EmsCode.RATE_LIMIT_EXCEEDED;
            case TOO_LARGE, PATH_TOO_LONG, HEADERS_TOO_LARGE -> EmsCode.PAYLOAD_TOO_LARGE;
            case WRONG_ENCODING -> EmsCode.UNSUPPORTED_MEDIA_TYPE;
            case TOO_SLOW -> EmsCode.REQUEST_TIMEOUT;
            case INTERNAL -> EmsCode.INTERNAL_ERROR;
            case UNAVAILABLE, OUTCOME_UNKNOWN -> EmsCode.STORE_UNAVAILABLE;
            case OVERLOADED, STOPPING, TIME_OUT -> EmsCode.SERVICE_UNAVAILABLE;
        };
    }
}
