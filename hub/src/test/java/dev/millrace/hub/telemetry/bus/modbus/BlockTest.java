package dev.millrace.hub.telemetry.bus.modbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.hub.telemetry.bus.modbus.Encoding.Kind;
import dev.millrace.hub.telemetry.kept.PointType;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** What is read together. */
class BlockTest {
    private static Spot spot(int unit, Table table, int address, Kind kind) {
        return new Spot(
                PointType.T,
                Integer.toString(address + 1),
                unit,
                table,
                address,
                new Encoding(kind, false, false),
                -1,
                1,
                false,
                false);
    }

    private static Spot register(int address) {
        return spot(1, Table.HOLDING_REGISTERS, address, Kind.UINT16);
    }

    private static List<String> joined(int gap, int most, Spot... spots) {
        return Block.join(List.of(spots), gap, most).stream()
                .map(
                        each ->
                                "%d:%s:%d+%d"
                                        .formatted(
                                                each.unit(),
                                                each.table().name().charAt(0),
                                                each.address(),
                                                each.count()))
                .toList();
    }

    @Test
    void neighbours_are_joined_in_whatever_order_they_come() {
        assertThat(joined(0, 125, register(3), register(1), register(2)))
                .containsExactly("1:H:1+3");
        assertThat(joined(0, 125, spot(1, Table.HOLDING_REGISTERS, 1, Kind.FLOAT64), register(2)))
                .as("one inside the other")
                .containsExactly("1:H:1+4");
    }

    @Test
    void what_nobody_wants_is_read_where_it_is_little() {
        assertThat(joined(2, 125, register(1), register(4))).containsExactly("1:H:1+4");
        assertThat(joined(2, 125, register(1), register(5))).containsExactly("1:H:1+1", "1:H:5+1");
    }

    @Test
    void other_tables_and_other_devices_are_asked_by_themselves() {
        assertThat(
                        joined(
                                8,
                                125,
                                register(1),
                                spot(1, Table.INPUT_REGISTERS, 2, Kind.UINT16),
                                spot(2, Table.HOLDING_REGISTERS, 2, Kind.UINT16),
                                spot(1, Table.COILS, 0, Kind.BOOL)))
                .containsExactly("1:C:0+1", "1:H:1+1", "1:I:2+1", "2:H:2+1");
    }

    @Test
    void no_answer_has_more_than_fits() {
        Spot[] many = IntStream.range(0, 300).mapToObj(BlockTest::register).toArray(Spot[]::new);
        assertThat(joined(8, 125, many)).containsExactly("1:H:0+125", "1:H:125+125", "1:H:250+50");
        assertThat(joined(8, 100, many)).containsExactly("1:H:0+100", "1:H:100+100", "1:H:200+100");
        Spot[] coils =
                IntStream.range(0, 2100)
                        .mapToObj(at -> spot(1, Table.COILS, at, Kind.BOOL))
                        .toArray(Spot[]::new);
        assertThat(joined(8, 2000, coils)).containsExactly("1:C:0+2000", "1:C:2000+100");
        assertThat(joined(8, 125, register(0), spot(1, Table.HOLDING_REGISTERS, 124, Kind.FLOAT32)))
                .as("two registers that would reach beyond")
                .hasSize(2);
    }

    @Test
    void what_a_device_refuses_is_split_at_the_widest_gap() {
        Block block =
                Block.join(List.of(register(1), register(2), register(6), register(7)), 8, 125)
                        .getFirst();
        assertThat(block.split())
                .extracting(Block::address, Block::count)
                .containsExactly(tuple(1, 2), tuple(6, 2));
    }
}
