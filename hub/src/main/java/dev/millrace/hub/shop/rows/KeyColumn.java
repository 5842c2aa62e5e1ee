package dev.millrace.hub.shop.rows;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import java.util.UUID;

/**
 * What the key column of a table holds. An id is a text, and a database is strict: a number is to
 * be asked for with a number. What cannot be such a key is not asked for at all.
 */
enum KeyColumn {
    WHOLE {
        @Override
        Optional<Object> keyOf(String id) {
            try {
                long number = Long.parseLong(id);
                // 007 is not another name of 7.
                return Long.toString(number).equals(id) ? Optional.of(number) : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        @Override
        String idIn(ResultSet row) throws SQLException {
            return Long.toString(row.getLong(1));
        }
    },
    DECIMAL {
        @Override
        Optional<Object> keyOf(String id) {
            try {
                BigDecimal number = new BigDecimal(id);
                return number.toPlainString().equals(id) ? Optional.of(number) : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        @Override
        String idIn(ResultSet row) throws SQLException {
            return row.getBigDecimal(1).toPlainString();
        }
    },
    UNIQUE {
        @Override
        Optional<Object> keyOf(String id) {
            try {
                UUID key = UUID.fromString(id);
                return key.toString().equals(id) ? Optional.of(key) : Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        @Override
        String idIn(ResultSet row) throws SQLException {
            return String.valueOf(row.getObject(1));
        }
    },
    TEXT {
        @Override
        Optional<Object> keyOf(String id) {
            return Optional.of(id);
        }

        @Override
        String idIn(ResultSet row) throws SQLException {
            return text(row.getString(1));
        }
    },
    PADDED {
        @Override
        Optional<Object> keyOf(String id) {
            return Optional.of(id);
        }

        @Override
        String idIn(ResultSet row) throws SQLException {
            return text(row.getString(1)).stripTrailing();
        }
    };

    /** What to ask the database for; empty if no row can have this id. */
    abstract Optional<Object> keyOf(String id);

    /** Whose row it is. */
    abstract String idIn(ResultSet row) throws SQLException;

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    static KeyColumn of(ResultSetMetaData columns) throws SQLException {
        return switch (columns.getColumnType(1)) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> WHOLE;
            case Types.DECIMAL, Types.NUMERIC -> DECIMAL;
            case Types.CHAR, Types.NCHAR -> PADDED;
            default -> columns.getColumnTypeName(1).equalsIgnoreCase("uuid") ? UNIQUE : TEXT;
        };
    }
}
