package dev.millrace.hub.shop.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonGenerator;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Base64;
import java.util.Locale;

/**
 * A row as JSON: names of columns in small letters; numbers as numbers, with all their digits;
 * dates and times as ISO 8601; binary as base64; JSON as what it is.
 */
final class RowJson {
    private final int largest;

    RowJson(int largest) {
        this.largest = largest;
    }

    /** The columns of a row from the second one on; the first one is the key it was asked by. */
    String of(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            json.writeStartObject();
            for (int i = 2; i <= columns.getColumnCount(); i++) {
                json.writeName(columns.getColumnLabel(i).toLowerCase(Locale.ROOT));
                write(json, row, columns, i);
            }
            json.writeEndObject();
        }
        return out.toString(UTF_8);
    }

    private void write(JsonGenerator json, ResultSet row, ResultSetMetaData columns, int column)
            throws SQLException {
        String type = columns.getColumnTypeName(column).toLowerCase(Locale.ROOT);
        switch (type) {
            case "json", "jsonb" -> {
                String text = row.getString(column);
                if (text == null) {
                    json.writeNull();
                } else {
                    json.writeRawValue(text);
                }
            }
            case "timestamptz" -> write(json, row.getObject(column, OffsetDateTime.class));
            case "timetz" -> write(json, row.getObject(column, OffsetTime.class));
            default -> write(json, plain(row, columns.getColumnType(column), column));
        }
    }

    private static @Nullable Object plain(ResultSet row, int type, int column) throws SQLException {
        return switch (type) {
            case Types.DATE -> row.getObject(column, LocalDate.class);
            case Types.TIME -> row.getObject(column, LocalTime.class);
            case Types.TIMESTAMP -> row.getObject(column, LocalDateTime.class);
            case Types.TIMESTAMP_WITH_TIMEZONE -> row.getObject(column, OffsetDateTime.class);
            case Types.TIME_WITH_TIMEZONE -> row.getObject(column, OffsetTime.class);
            default -> row.getObject(column);
        };
    }

    private void write(JsonGenerator json, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean truth -> json.writeBoolean(truth);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Short number -> json.writeNumber(number);
            case Byte number -> json.writeNumber((short) number);
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case Float number when Float.isFinite(number) -> json.writeNumber(number);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case OffsetDateTime time -> json.writeString(time.toInstant().toString());
            case byte[] bytes -> json.writeString(Base64.getEncoder().encodeToString(bytes));
            case Blob blob ->
                    json.writeString(
                            Base64.getEncoder().encodeToString(blob.getBytes(1, largest + 1)));
            case Clob clob -> json.writeString(clob.getSubString(1, largest + 1));
            case Array array -> {
                json.writeStartArray();
                if (array.getArray() instanceof Object[] elements) {
                    for (Object each : elements) {
                        write(json, each);
                    }
                }
                json.writeEndArray();
            }
            case Object[] elements -> {
                json.writeStartArray();
                for (Object each : elements) {
                    write(json, each);
                }
                json.writeEndArray();
            }
            default -> json.writeString(value.toString());
        }
    }
}
