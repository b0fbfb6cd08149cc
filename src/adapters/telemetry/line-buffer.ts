import { write, writeSync } from 'node:fs'

export interface LineBuffer {
  write(line: string): void
  /** Resolves when everything written so far has been handed to the operating system, or after a bounded wait. */
  flush(): Promise<void>
}

const BUFFER_BYTES = 256 * 1024
/** A fuller buffer is handed over at once; the rest is room for lines that arrive meanwhile. */
const HAND_OVER_BYTES = 64 * 1024
const LINE_BYTES_MAX = 16 * 1024
const HAND_OVER_EVERY_MS = 1_000
const FLUSH_PATIENCE_MS = 1_000
const LOOK_EVERY_MS = 5

/**
 * Lines go into bytes at once and to the operating system in large pieces, in turn from two buffers. Kept as strings
 * until then, they would outlive the collector's young generation and cost several times as much.
 * When nobody reads our output, lines are dropped and counted rather than kept.
 */
export function createLineBuffer(fileDescriptor: number): LineBuffer {
  let filling = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let spare = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let used = 0
  let dropped = 0
  let isWriting = false

  const timer = setInterval(handOver, HAND_OVER_EVERY_MS)
  timer.unref()
  process.on('exit', () => writeLast())

  return {
    write(line) {
      if (used + LINE_BYTES_MAX > BUFFER_BYTES || line.length * 3 > LINE_BYTES_MAX) {
        dropped++
        return
      }
      used += filling.write(line, used)
      if (used > HAND_OVER_BYTES) handOver()
    },
    async flush() {
      for (
        let waitedMs = 0;
        waitedMs < FLUSH_PATIENCE_MS && (isWriting || used > 0);
        waitedMs += LOOK_EVERY_MS
      ) {
        handOver()
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
  }

  function handOver(): void {
    if (isWriting || used === 0) return
    noteDropped()
    const full = filling
    const bytes = used
    filling = spare
    spare = full
    used = 0
    isWriting = true
    writeAll(full, 0, bytes)
  }

  /** Pipes may take a part only. An error means that nobody will ever read it. */
  function writeAll(bytes: Buffer, from: number, to: number): void {
    write(fileDescriptor, bytes, from, to - from, null, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => writeAll(bytes, from, to), LOOK_EVERY_MS)
      else if (error === null && from + written < to) writeAll(bytes, from + written, to)
      else isWriting = false
    })
  }

  function noteDropped(): void {
    if (dropped === 0) return
    used += filling.write(`{"level":"warn","event":"log lines were dropped","count":${dropped}}\n`, used)
    dropped = 0
  }

  function writeLast(): void {
    try {
      if (used > 0) writeSync(fileDescriptor, filling, 0, used)
    } catch {
      // The reader is gone; there is nobody left to tell.
    }
    used = 0
  }
}
