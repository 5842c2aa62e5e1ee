package dev.millrace.hub.ems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;

/** Codes, paths and times, as clients of the reference know them. */
class EmsWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    400 | INVALID_JSON INVALID_PARAMETER VALIDATION_ERROR RESERVED_ID MODEL_WITHOUT_MAPPINGS UNKNOWN_NAME RULE_CYCLE INVALID_CONDITION INVALID_ACTION RANGE_TOO_LARGE
                    401 | AUTH_REQUIRED INVALID_TOKEN TOKEN_EXPIRED SESSION_EXPIRED
                    403 | PERMISSION_DENIED
                    404 | NOT_FOUND ALARM_NOT_FOUND RULE_NOT_FOUND MODEL_NOT_FOUND TEMPLATE_NOT_FOUND CHANNEL_NOT_FOUND POINT_NOT_FOUND COMMAND_NOT_FOUND ACTION_NOT_FOUND
                    409 | ALREADY_EXISTS TEMPLATE_IN_USE CHANNEL_IN_USE COMMAND_CONFLICT LOCK_NOT_OWNED INVALID_STATE
                    412 | VERSION_MISMATCH
                    429 | RATE_LIMIT_EXCEEDED QUEUE_FULL
                    500 | INTERNAL_ERROR STORE_TYPE_CONFLICT
                    503 | STORE_UNAVAILABLE DEVICE_OFFLINE SERVICE_UNAVAILABLE
                    """)
    void every_code_has_its_status(int status, String codes) {
        assertThat(Arrays.stream(codes.split(" ")).map(EmsCode::valueOf))
                .allMatch(code -> code.status() == status);
    }

    @ParameterizedTest
    @EnumSource(value = Code.class, mode = EnumSource.Mode.EXCLUDE, names = "WRONG_VERSION")
    void whatever_the_server_refuses_comes_in_the_envelope_with_its_status(Code code) {
        Answer answer =
                new EmsErrors(Clock.systemUTC()).of(Problem.of(code), "/api/channels", "ask-1");
        assertThat(answer.status()).isEqualTo(code.status());
        assertThat(answer.body()).isInstanceOf(Answer.Body.Whole.class);
        JsonNode json = Json.MAPPER.readTree(((Answer.Body.Whole) answer.body()).bytes());
        assertThat(json.path("success").asBoolean(true)).isFalse();
        assertThat(json.path("request_id").asString()).isEqualTo("ask-1");
        EmsCode told = EmsCode.valueOf(json.path("error").path("code").asString());
        assertThat(told.status() / 100).isEqualTo(code.status() / 100);
    }

    @ParameterizedTest
    @CsvSource({
        "COMSRV, /api/channels, /api/channels /api/comsrv/channels",
        "ALARMSRV, /api/alarms, /api/alarms /api/alarmsrv/alarms /api/alarmsrv/api/alarms",
        "HISSRV, /api/v1/history/x, /api/v1/history/x",
    })
    void a_path_is_found_where_the_proxy_had_it(Service service, String natural, String paths) {
        assertThat(service.paths(natural)).isEqualTo(List.of(paths.split(" ")));
    }

    @Test
    void a_natural_path_is_below_api() {
        assertThatThrownBy(() -> Service.COMSRV.paths("/channels"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1754530782000, 2025-08-07T01:39:42.000Z",
        "1754530782007, 2025-08-07T01:39:42.007Z",
        "1754530782070, 2025-08-07T01:39:42.070Z",
        "1754530782999, 2025-08-07T01:39:42.999Z",
        "1754530783000, 2025-08-07T01:39:43.000Z",
        "0, 1970-01-01T00:00:00.000Z",
        "-1, 1969-12-31T23:59:59.999Z",
        "253402300799999, 9999-12-31T23:59:59.999Z",
    })
    void a_time_has_milliseconds_and_is_utc(long millis, String text) {
        assertThat(IsoText.of(Instant.ofEpochMilli(millis))).isEqualTo(text);
        assertThat(Instant.parse(text).toEpochMilli()).isEqualTo(millis);
        assertThat(IsoText.read(text).toEpochMilli()).isEqualTo(millis);
    }

    /** Also while the second is the one that was written last. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2025-08-07T01:39:42.007Z",
                "2025-08-07T01:39:42.999Z",
                "2025-08-07T01:39:42Z",
                "2025-08-07t01:39:42.100z",
                "2025-08-07T01:39:42.1Z",
                "2025-08-07T01:39:42.123456Z",
                "2025-08-07T02:39:42.000+01:00",
                "2025-08-07T01:39:43.000Z"
            })
    void a_time_is_read_as_iso_8601_says(String text) {
        IsoText.of(Instant.ofEpochMilli(1754530782000L));
        assertThat(IsoText.read(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "2025-08-07T01:39:42.0x0Z", "2025-08-07T01:39:42.000X", "1754530782"})
    void what_is_not_a_time_is_not_read_as_one(String text) {
        IsoText.of(Instant.ofEpochMilli(1754530782000L));
        assertThatThrownBy(() -> IsoText.read(text)).isInstanceOf(DateTimeParseException.class);
    }
}
