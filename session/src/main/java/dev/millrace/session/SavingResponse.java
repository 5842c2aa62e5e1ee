package dev.millrace.session;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * An answer that does not begin before the session is written: a client that has it, and asks again
 * at once, finds what it has just changed.
 */
final class SavingResponse extends HttpServletResponseWrapper {
    private final Runnable save;
    private @Nullable ServletOutputStream out;
    private @Nullable PrintWriter writer;
    private long length = Long.MAX_VALUE;
    private long written;

    SavingResponse(HttpServletResponse response, Runnable save) {
        super(response);
        this.save = save;
    }

    /** What the writer holds goes to the container. */
    void finish() {
        PrintWriter open = writer;
        if (open != null) {
            open.flush();
        }
    }

    private void before(int bytes) {
        written += bytes;
        if (written >= Math.min(getBufferSize(), length)) {
            save.run();
        }
    }

    @Override
    public void setContentLength(int bytes) {
        length = bytes;
        super.setContentLength(bytes);
    }

    @Override
    public void setContentLengthLong(long bytes) {
        length = bytes;
        super.setContentLengthLong(bytes);
    }

    @Override
    public void flushBuffer() throws IOException {
        finish();
        save.run();
        super.flushBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
        save.run();
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String sentence) throws IOException {
        save.run();
        super.sendError(status, sentence);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        save.run();
        super.sendRedirect(location);
    }

    /** All forms of it but the one above lead here, where the container knows them. */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        save.run();
        super.sendRedirect(location, status, clearBuffer);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream open = out;
        if (open == null) {
            open = new Saving(super.getOutputStream());
            out = open;
        }
        return open;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter open = writer;
        if (open == null) {
            // The container settles the encoding when it is asked for a writer.
            String encoding = getCharacterEncoding();
            setCharacterEncoding(encoding);
            open =
                    new PrintWriter(
                            new OutputStreamWriter(getOutputStream(), Charset.forName(encoding)));
            writer = open;
        }
        return open;
    }

    private final class Saving extends ServletOutputStream {
        private final ServletOutputStream to;

        Saving(ServletOutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int one) throws IOException {
            before(1);
            to.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            before(count);
            to.write(bytes, from, count);
        }

        @Override
        public void flush() throws IOException {
            save.run();
            to.flush();
        }

        @Override
        public void close() throws IOException {
            save.run();
            to.close();
        }

        @Override
        public boolean isReady() {
            return to.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            to.setWriteListener(listener);
        }
    }
}
