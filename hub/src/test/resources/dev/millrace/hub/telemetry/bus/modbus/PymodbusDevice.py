# A device for PymodbusTest, made with pymodbus of the system: PORT, then pairs of a register and its four hex digits.
# It says "listening" once it does, and ends with its standard input.
import os
import sys
import threading

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartTcpServer

port, settings = int(sys.argv[1]), sys.argv[2:]
slave = ModbusSlaveContext(
    di=ModbusSequentialDataBlock(0, [0] * 100),
    co=ModbusSequentialDataBlock(0, [0] * 100),
    hr=ModbusSequentialDataBlock(0, [0] * 200),
    ir=ModbusSequentialDataBlock(0, [0] * 100),
    zero_mode=True,
)
for setting in settings:
    table, address, digits = setting.split(":")
    words = [int(digits[at : at + 4], 16) for at in range(0, len(digits), 4)]
    slave.setValues({"c": 1, "d": 2, "h": 3, "i": 4}[table], int(address), words)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
StartTcpServer(context=ModbusServerContext(slaves={1: slave}, single=False), address=("127.0.0.1", port))
