package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.exceptions.UnknownUnitIdException;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersResponse;
import com.digitalpetri.modbus.pdu.WriteSingleRegisterRequest;
import com.digitalpetri.modbus.pdu.WriteSingleRegisterResponse;
import com.digitalpetri.modbus.server.ModbusRequestContext;
import com.digitalpetri.modbus.server.ModbusTcpServer;
import com.digitalpetri.modbus.server.ProcessImage;
import com.digitalpetri.modbus.server.ReadWriteModbusServices;
import com.digitalpetri.modbus.tcp.server.NettyTcpServerTransport;

import dev.millrace.keyspace.testing.TestPorts;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

/** A device made of the library's own server, with units 1 and 2. */
public final class LibraryDevice implements AutoCloseable {
    private final int port = TestPorts.take();
    private final Map<Integer, ProcessImage> units =
            new ConcurrentHashMap<>(Map.of(1, new ProcessImage(), 2, new ProcessImage()));
    private final List<String> reads = new CopyOnWriteArrayList<>();
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private ModbusTcpServer server;

    private LibraryDevice() {
        server = listening();
    }

    public static LibraryDevice start() {
        return new LibraryDevice();
    }

    private ModbusTcpServer listening() {
        ModbusTcpServer next =
                ModbusTcpServer.create(
                        NettyTcpServerTransport.create(
                                config -> config.setBindAddress("127.0.0.1").setPort(port)),
                        new ReadWriteModbusServices() {
                            @Override
                            protected Optional<ProcessImage> getProcessImage(int unit) {
                                return Optional.ofNullable(units.get(unit));
                            }

                            @Override
                            public ReadHoldingRegistersResponse readHoldingRegisters(
                                    ModbusRequestContext context,
                                    int unit,
                                    ReadHoldingRegistersRequest request)
                                    throws UnknownUnitIdException {
                                reads.add(request.address() + "+" + request.quantity());
                                return super.readHoldingRegisters(context, unit, request);
                            }

                            @Override
                            public WriteSingleRegisterResponse writeSingleRegister(
                                    ModbusRequestContext context,
                                    int unit,
                                    WriteSingleRegisterRequest request)
                                    throws UnknownUnitIdException {
                                writes.add(request.address() + "=" + request.value());
                                return super.writeSingleRegister(context, unit, request);
                            }
                        });
        try {
            next.start();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return next;
    }

    public int port() {
        return port;
    }

    /** Requests for holding registers, as {@code address+count}. */
    public List<String> reads() {
        return reads;
    }

    /** Requests to write one register, as {@code address=value}. */
    public List<String> writes() {
        return writes;
    }

    private ProcessImage unit(int unit) {
        return units.get(unit);
    }

    /** Registers of unit 1 from an address on, four digits each. */
    public void holding(int address, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        unit(1).with(
                        tx ->
                                tx.writeHoldingRegisters(
                                        map -> {
                                            for (int i = 0; i < bytes.length; i += 2) {
                                                map.put(
                                                        address + i / 2,
                                                        new byte[] {bytes[i], bytes[i + 1]});
                                            }
                                        }));
    }

    public void input(int unit, int address, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        unit(unit).with(tx -> tx.writeInputRegisters(map -> map.put(address, bytes)));
    }

    public void coil(int address, boolean on) {
        unit(1).with(tx -> tx.writeCoils(map -> map.put(address, on)));
    }

    public void discrete(int address, boolean on) {
        unit(1).with(tx -> tx.writeDiscreteInputs(map -> map.put(address, on)));
    }

    /** Registers of unit 1 as they are, four digits each. */
    public String holding(int address, int count) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int at = address + i;
            byte[] bytes =
                    unit(1).get(
                                    tx ->
                                            tx.readHoldingRegisters(
                                                    map -> map.getOrDefault(at, new byte[2])));
            hex.append(HexFormat.of().withUpperCase().formatHex(bytes));
        }
        return hex.toString();
    }

    public boolean coil(int address) {
        return unit(1).get(tx -> tx.readCoils(map -> map.getOrDefault(address, false)));
    }

    public void stop() {
        try {
            server.stop();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a stop, at the same port. */
    public void startAgain() {
        server = listening();
    }

    @Override
    public void close() {
        stop();
    }
}
