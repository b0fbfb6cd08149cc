import { write, writeSync } from 'node:fs'

export interface LineBuffer {
  write(line: string): void
  /** Gives the buffered lines to the operating system, after a running write. */
  handOver(): void
  /** Resolves when the operating system has all lines so far, or after a bounded wait. */
  flush(): Promise<void>
  /** Writes the rest synchronously, at the end of the process. */
  writeLast(): void
}

/** Functions of node:fs that the buffer uses. */
export interface FileWriting {
  write(
    fileDescriptor: number,
    bytes: Buffer,
    offset: number,
    length: number,
    position: null,
    callback: (error: NodeJS.ErrnoException | null, written: number) => void,
  ): void
  writeSync(fileDescriptor: number, bytes: Buffer, offset: number, length: number): number
}

/**
 * State of the buffer that is handed over:
 *
 *   none    -> calling  it was given to the operating system
 *   calling -> calling  a part was taken, the rest follows
 *   calling -> refused  a non-blocking pipe was full; a retry follows
 *   refused -> calling  or none, when the rest is written at the end of the process
 *   calling -> none     all was taken, or the output has no reader any more
 */
type HandedOver = { kind: 'none' } | { kind: 'calling' } | { kind: 'refused'; from: number; to: number }

const BUFFER_BYTES = 256 * 1024
/** Fill level at which the buffer is handed over; lines that arrive meanwhile fill the rest. */
const HAND_OVER_BYTES = 64 * 1024
const LINE_BYTES_MAX = 16 * 1024
/** Space that stays free for the line that reports dropped lines. */
const NOTE_BYTES_MAX = 128
const FLUSH_TIMEOUT_MS = 1_000
const POLL_EVERY_MS = 5
const LAST_TRIES_MAX = 100
const LAST_CALL_TIMEOUT_MS = 100

/**
 * Encodes lines immediately and writes them in large pieces from two alternating buffers. Strings that waited
 * would be promoted to the old generation and cost several times as much. Lines that may be too long, or find no
 * room because the output is read too slowly, are dropped and counted.
 */
export function createLineBuffer(
  fileDescriptor: number,
  files: FileWriting = { write, writeSync },
): LineBuffer {
  let filling = Buffer.allocUnsafeSlow(BUFFER_BYTES + NOTE_BYTES_MAX)
  let spare = Buffer.allocUnsafeSlow(BUFFER_BYTES + NOTE_BYTES_MAX)
  let used = 0
  let dropped = 0
  let handedOver: HandedOver = { kind: 'none' }
  let isNextAwaited = false

  return {
    write(line) {
      if (used + LINE_BYTES_MAX > BUFFER_BYTES || line.length * 3 > LINE_BYTES_MAX) dropped++
      else used += filling.write(line, used)
      if (used > HAND_OVER_BYTES) handOver()
    },
    handOver,
    async flush() {
      for (
        let waitedMs = 0;
        waitedMs < FLUSH_TIMEOUT_MS && (handedOver.kind !== 'none' || used > 0 || dropped > 0);
        waitedMs += POLL_EVERY_MS
      ) {
        handOver()
        await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
      }
    },
    writeLast,
  }

  function handOver(): void {
    if (used === 0 && dropped === 0) return
    isNextAwaited = handedOver.kind !== 'none'
    if (isNextAwaited) return
    noteDropped()
    const bytes = used
    ;[filling, spare] = [spare, filling]
    used = 0
    giveSpare(0, bytes)
  }

  /** Writes a part of the spare buffer. Any error but EAGAIN means that the output has no reader. */
  function giveSpare(from: number, to: number): void {
    handedOver = { kind: 'calling' }
    files.write(fileDescriptor, spare, from, to - from, null, (error, written) => {
      if (error?.code === 'EAGAIN') {
        handedOver = { kind: 'refused', from, to }
        setTimeout(retry, POLL_EVERY_MS).unref()
      } else if (error === null && from + written < to) giveSpare(from + written, to)
      else {
        handedOver = { kind: 'none' }
        if (isNextAwaited) handOver()
      }
    })
  }

  function retry(): void {
    if (handedOver.kind === 'refused') giveSpare(handedOver.from, handedOver.to)
  }

  function noteDropped(): void {
    if (dropped === 0) return
    used += filling.write(`{"level":"warn","event":"log lines were dropped","count":${dropped}}\n`, used)
    dropped = 0
  }

  function writeLast(): void {
    noteDropped()
    // A running write continues in its own thread. Without a pause the last lines would come between its lines.
    if (handedOver.kind === 'calling' && used > 0) pause(LAST_CALL_TIMEOUT_MS)
    const unfinished = handedOver
    const bytes = used
    if (unfinished.kind === 'refused') handedOver = { kind: 'none' }
    used = 0
    try {
      if (unfinished.kind === 'refused') writeAllNow(spare, unfinished.from, unfinished.to)
      writeAllNow(filling, 0, bytes)
    } catch {
      // The output has no reader, so the error cannot be reported.
    }
  }

  function writeAllNow(bytes: Buffer, from: number, to: number): void {
    let tries = 0
    while (from < to) {
      try {
        from += files.writeSync(fileDescriptor, bytes, from, to - from)
      } catch (error) {
        tries++
        if (Object(error).code !== 'EAGAIN' || tries === LAST_TRIES_MAX) throw error
        pause(POLL_EVERY_MS)
      }
    }
  }
}

/** Blocks the thread, which is acceptable only at the end of the process. */
function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)
}
