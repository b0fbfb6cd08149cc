import { write, writeSync } from 'node:fs'

export interface LineBuffer {
  write(line: string): void
  /** Hands what has been written so far to the operating system, as soon as it is not busy with what came before. */
  handOver(): void
  /** Resolves when everything written so far has been handed to the operating system, or after a bounded wait. */
  flush(): Promise<void>
  /** For the end of the process, when nothing can be awaited any more. */
  writeLast(): void
}

/** What is needed of node:fs. */
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
 * The buffer that is handed over:
 *
 *   none    -> calling  it was given to the operating system
 *   calling -> calling  a part was taken, the rest follows
 *   calling -> refused  a pipe that does not wait was full; tried again a little later
 *   refused -> calling
 *   calling -> none     all was taken, or the output has no reader any more
 */
type HandedOver = { kind: 'none' } | { kind: 'calling' } | { kind: 'refused'; from: number; to: number }

const BUFFER_BYTES = 256 * 1024
/** A fuller buffer is handed over at once; the rest is room for lines that arrive meanwhile. */
const HAND_OVER_BYTES = 64 * 1024
const LINE_BYTES_MAX = 16 * 1024
/** Always kept free, so that a full buffer can still say what it dropped. */
const NOTE_BYTES_MAX = 128
const FLUSH_PATIENCE_MS = 1_000
const LOOK_EVERY_MS = 5
const LAST_TRIES_MAX = 100
const LAST_CALL_PATIENCE_MS = 100

/**
 * Lines go into bytes at once and to the operating system in large pieces, in turn from two buffers. Kept as strings
 * until then, they would outlive the collector's young generation and cost several times as much.
 * When no program reads our output, lines are dropped and counted rather than kept.
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
        waitedMs < FLUSH_PATIENCE_MS && (handedOver.kind !== 'none' || used > 0 || dropped > 0);
        waitedMs += LOOK_EVERY_MS
      ) {
        handOver()
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
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

  /** Pipes may take a part only. Any other error means that the output has no reader any more. */
  function giveSpare(from: number, to: number): void {
    handedOver = { kind: 'calling' }
    files.write(fileDescriptor, spare, from, to - from, null, (error, written) => {
      if (error?.code === 'EAGAIN') {
        handedOver = { kind: 'refused', from, to }
        setTimeout(tryAgain, LOOK_EVERY_MS).unref()
      } else if (error === null && from + written < to) giveSpare(from + written, to)
      else {
        handedOver = { kind: 'none' }
        if (isNextAwaited) handOver()
      }
    })
  }

  function tryAgain(): void {
    if (handedOver.kind === 'refused') giveSpare(handedOver.from, handedOver.to)
  }

  function noteDropped(): void {
    if (dropped === 0) return
    used += filling.write(`{"level":"warn","event":"log lines were dropped","count":${dropped}}\n`, used)
    dropped = 0
  }

  function writeLast(): void {
    noteDropped()
    // A running call goes on in its own thread; without a pause our lines would be written between its lines.
    if (handedOver.kind === 'calling' && used > 0) pause(LAST_CALL_PATIENCE_MS)
    const unfinished = handedOver
    const bytes = used
    if (unfinished.kind === 'refused') handedOver = { kind: 'none' }
    used = 0
    try {
      if (unfinished.kind === 'refused') writeAllNow(spare, unfinished.from, unfinished.to)
      writeAllNow(filling, 0, bytes)
    } catch {
      // The reader is gone or does not read; the error cannot be reported anywhere.
    }
  }

  function writeAllNow(bytes: Buffer, from: number, to: number): void {
    let tries = 0
    while (from < to) {
      try {
        from += files.writeSync(fileDescriptor, bytes, from, to - from)
      } catch (error) {
        tries++
        if (!isFull(error) || tries === LAST_TRIES_MAX) throw error
        pause(LOOK_EVERY_MS)
      }
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

/** Stops the whole thread, which only its end allows. */
function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs)
}
