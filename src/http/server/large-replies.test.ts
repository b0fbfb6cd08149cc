import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { RawReply } from '../raw.ts'
import { LargeReplies, PIECE_BYTES } from './large-replies.ts'

let nowMs = 0
const CLOCK = { monotonicMs: () => nowMs }
const LOG = { debug() {}, info() {}, warn() {}, error() {} }

class MemoryReply extends EventEmitter {
  readonly pieces: Uint8Array[] = []
  destroyed = false
  isEnded = false
  readonly #reads: boolean

  constructor(reads: boolean) {
    super()
    this.#reads = reads
  }

  write(piece: Uint8Array): boolean {
    this.pieces.push(piece)
    return this.#reads
  }

  end(piece: Uint8Array): void {
    this.pieces.push(piece)
    this.isEnded = true
    if (this.#reads) this.emit('close')
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function rawOf(reply: MemoryReply): RawReply {
  return reply as unknown as RawReply
}

test('the pieces of many large replies are written in several turns, and all of them in order', async () => {
  const large = new LargeReplies({ bytesEachMax: Number.POSITIVE_INFINITY, log: LOG, clock: CLOCK })
  const body = Uint8Array.from({ length: 10.5 * PIECE_BYTES }, (_, at) => at % 251)
  const replies = Array.from({ length: 40 }, () => new MemoryReply(true))
  for (const reply of replies) large.send(rawOf(reply), body, 'org_1')
  const written = () => replies.reduce((sum, { pieces }) => sum + pieces.length, 0)
  let most = written()
  for (let before = most; !replies.every(({ isEnded }) => isEnded); before = written()) {
    await new Promise(setImmediate)
    most = Math.max(most, written() - before)
  }
  // One wait for `setImmediate` may overlap two turns of the budget, with 64 pieces each.
  expect(most).toBeLessThanOrEqual(2 * 64)
  for (const { pieces } of replies) expect(Buffer.concat(pieces).equals(body)).toBe(true)
})

test('a reply whose client does not read waits with one piece, and goes on when it reads', () => {
  const large = new LargeReplies({ bytesEachMax: Number.POSITIVE_INFINITY, log: LOG, clock: CLOCK })
  const reply = new MemoryReply(false)
  large.send(rawOf(reply), new Uint8Array(2 * PIECE_BYTES), 'org_1')
  expect(reply.pieces).toHaveLength(1)
  reply.emit('drain')
  expect(reply.isEnded).toBe(true)
})

const sendTo = (large: LargeReplies, reply: MemoryReply, organizationId: string | undefined, pieces = 2) =>
  large.send(rawOf(reply), new Uint8Array(pieces * PIECE_BYTES), organizationId)

test('beyond its share an organization loses its oldest unread replies, and others lose none', () => {
  const large = new LargeReplies({ bytesEachMax: 5 * PIECE_BYTES, log: LOG, clock: CLOCK })
  const [other, read, first, second, third] = Array.from({ length: 5 }, () => new MemoryReply(false))
  const replies = [other, read, first, second, third].filter((reply) => reply !== undefined)
  for (const reply of replies) {
    if (reply === third) {
      nowMs += 1_000
      read?.emit('drain')
    }
    sendTo(large, reply, reply === other ? 'org_2' : 'org_1')
  }
  expect(replies.map(({ destroyed }) => destroyed)).toEqual([false, false, true, true, false])
  const page = new MemoryReply(false)
  sendTo(large, page, undefined, 20)
  expect([page, other, third].map((reply) => reply?.destroyed)).toEqual([false, false, false])
})

test('beyond twice its share an organization loses its oldest replies, however short they wait', () => {
  const large = new LargeReplies({ bytesEachMax: 5 * PIECE_BYTES, log: LOG, clock: CLOCK })
  const replies = Array.from({ length: 6 }, () => new MemoryReply(false))
  for (const reply of replies) sendTo(large, reply, 'org_1')
  expect(replies.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false, false])
})
