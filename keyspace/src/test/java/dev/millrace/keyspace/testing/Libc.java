package dev.millrace.keyspace.testing;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The two calls of the C library that {@link SyncWatch} needs, with their {@code errno}. Linux with
 * 64 bits. For one thread: the kernel knows a tracer by its thread.
 */
final class Libc {
    static final int EINTR = 4;
    static final int ECHILD = 10;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    /** Of a siginfo_t, which has 128 bytes; its fields for a child's change are the first seven. */
    private static final int SIGINFO_SIZE = 128;

    private static final int SIGINFO_CODE = 8;
    private static final int SIGINFO_PID = 16;
    private static final int SIGINFO_STATUS = 24;

    private final MethodHandle ptrace;
    private final MethodHandle waitid;
    private final MemorySegment state;
    private final MemorySegment siginfo;

    @SuppressWarnings("restricted") // Calling native code is what this class is for.
    Libc(Arena arena) {
        Linker linker = Linker.nativeLinker();
        Linker.Option errno = Linker.Option.captureCallState("errno");
        ptrace =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("ptrace"),
                        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
                        errno,
                        Linker.Option.firstVariadicArg(1));
        waitid =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("waitid"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT),
                        errno);
        state = arena.allocate(STATE);
        siginfo = arena.allocate(SIGINFO_SIZE, 8);
    }

    /** What a child, or a thread that is traced, has come to; pid 0 for nothing. */
    record Change(int pid, int code, int status) {}

    /** What the call gave, or the negative errno. */
    long ptrace(int request, int pid, long address, long data) {
        try {
            long result = (long) ptrace.invokeExact(state, request, pid, address, data);
            return result == -1 ? -errno() : result;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The change, or one with the negative errno as its pid. */
    Change waitid(int kind, int id, int options) {
        siginfo.fill((byte) 0);
        try {
            int result = (int) waitid.invokeExact(state, kind, id, siginfo.address(), options);
            return new Change(
                    result == -1 ? -errno() : siginfo.get(JAVA_INT, SIGINFO_PID),
                    siginfo.get(JAVA_INT, SIGINFO_CODE),
                    siginfo.get(JAVA_INT, SIGINFO_STATUS));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private int errno() {
        return (int) ERRNO.get(state, 0L);
    }
}
