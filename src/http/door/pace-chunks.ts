import type { Socket } from 'node:net'
import type { TurnBudget } from './turn-budget.ts'

/** Bytes of short lines that the parser reads at a time. */
const PIECE_BYTES = 2 * 1024
/** Factor between the cost of a chunk in Node's parser, which calls back for each one, and in the fast door. */
const COST_OF_LINE = 16
/** Pieces with fewer lines, such as most heads, do not count. */
const FREE_LINES = 64
const LF = 10

type Read = (bytes: Buffer) => void

/** Whether a first packet shows a whole head without chunks. Node reads such connections faster by itself. */
export function mayHaveChunks(bytes: Buffer | undefined): boolean {
  const text = bytes?.toString('latin1') ?? ''
  return !text.includes('\r\n\r\n') || /transfer-encoding/i.test(text)
}

/**
 * Gives Node's parser the input of a connection in pieces, and lets all of them together read only so many lines in a
 * turn of the event loop: thousands of chunks of one byte, on many connections at once, would take seconds otherwise.
 */
export function paceChunks(socket: Socket, budget: TurnBudget): void {
  const [parse] = socket.listeners('data')
  if (parse === undefined) return
  const read: Read = (bytes) => void Reflect.apply(parse, socket, [bytes])
  socket.removeAllListeners('data')
  pace(socket, { read, budget })
}

function pace(socket: Socket, { read, budget }: { read: Read; budget: TurnBudget }): void {
  let rest: Buffer | undefined
  const connection = {
    goOn() {
      const bytes = rest
      rest = undefined
      if (socket.destroyed || bytes === undefined) return
      take(bytes)
      if (rest === undefined) socket.resume()
    },
  }

  function take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = pieceOf(bytes.subarray(at))
      const lines = linesOf(piece)
      if (lines > FREE_LINES && budget.chunksLeft <= 0) {
        rest = bytes.subarray(at)
        socket.pause()
        budget.whenFree(connection)
        return
      }
      if (lines > FREE_LINES) budget.use(lines * COST_OF_LINE)
      read(piece)
      at += piece.length
      // After an upgrade the socket has another owner. A client that sends more before its answer is at fault.
      if (Reflect.get(socket, 'parser') === null) {
        socket.removeListener('data', onData)
        if (at < bytes.length) socket.destroy()
        return
      }
    }
  }

  function onData(bytes: Buffer): void {
    if (rest === undefined) take(bytes)
    else rest = Buffer.concat([rest, bytes])
  }

  socket.on('data', onData)
}

/** Errors of the parser show its input, so only short lines are divided. */
function pieceOf(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, PIECE_BYTES)
  return linesOf(start) > FREE_LINES ? start : bytes
}

function linesOf(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1
  return lines
}
