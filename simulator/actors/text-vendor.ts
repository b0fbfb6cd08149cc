import type { Dialect } from '@sluice/dialects/dialect-facts'
import type { TextCall, TextProvider, TextReceiver, TextSent } from '../../src/ports/text-provider.ts'
import type { Event } from '../kernel/event-queue.ts'
import type { Random } from '../kernel/random.ts'
import type { Owner, World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'
import { type VendorUsage, writeStream, writeWhole } from './text-wire.ts'

/** The vendor's record of one call, by which the books check the gateway. */
export interface VendorCallRecord {
  id: number
  /** Text that identifies the request. */
  tag: string
  /** The whole conversation: texts of clients, and replies of this vendor. */
  conversation: readonly string[]
  organizationId: string
  model: string
  isStream: boolean
  /** Usage that the vendor will report, and whether the gateway has got it. */
  usage: VendorUsage
  usageHandedOver: boolean
  /** undefined while it is running. */
  end: 'whole' | 'error' | 'broken' | 'stopped' | undefined
}

export interface TextVendor {
  calls: Map<number, VendorCallRecord>
  openFor(owner: Owner): TextProvider
}

const MODELS: Record<string, Dialect> = {
  'model-4.1': 'messages',
  'model-4.1-mini': 'chat',
  'model-o3': 'responses',
}
export const TEXT_MODELS: readonly string[] = Object.keys(MODELS).map((name) => `vendorC/${name}`)

/** Time after which a silent vendor is given up. */
const SILENCE_MS = 25_000
const ERRORS = [400, 401, 404, 413, 429, 500, 503, 529]

export function createTextVendor({ world, faults }: { world: World; faults: Faults }): TextVendor {
  const random = world.random.branch('text vendor')
  const calls = new Map<number, VendorCallRecord>()

  function openFor(owner: Owner): TextProvider {
    return {
      name: 'vendorC',
      hides: ['vendor.example'],
      findModel(name) {
        const dialect = MODELS[name]
        return dialect && { dialect, upstream: name, countsTokens: false, reasons: false }
      },
      send: (call, receiver) => serve(owner, call, receiver),
    }
  }

  function serve(owner: Owner, call: TextCall, receiver: TextReceiver): TextSent {
    const record = recordOf(call, calls.size + 1, random)
    calls.set(record.id, record)
    world.trace('vendor', `takes call ${record.id} for ${record.tag} of ${owner.name}`)
    return new Serving({ world, faults, random, owner, call, receiver, record })
  }

  return { calls, openFor }
}

function recordOf(call: TextCall, id: number, random: Random): VendorCallRecord {
  const body = JSON.parse(Buffer.from(call.body).toString('utf8'))
  const conversation = JSON.stringify(body).match(/tag-\d+ (?:please|call-\d+)/g) ?? []
  const outputMax = Math.min(
    1_500,
    body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? 1_500,
  )
  return {
    id,
    tag: conversation.at(-1)?.split(' ')[0] ?? 'no tag',
    conversation,
    organizationId: call.organizationId,
    model: `vendorC/${call.model}`,
    isStream: body.stream === true,
    usage: {
      // Sometimes far more than the gateway can have counted: the excess beyond the reserve is charged too.
      input: random.whole(1, random.chance(0.1) ? 3_000 : 30),
      cachedInput: random.chance(0.1) ? random.whole(1, 2_000) : 0,
      cacheWrite: call.dialect !== 'chat' && random.chance(0.1) ? random.whole(1, 1_000) : 0,
      output: random.whole(1, outputMax),
    },
    usageHandedOver: false,
    end: undefined,
  }
}

interface ServingParts {
  world: World
  faults: Faults
  random: Random
  owner: Owner
  call: TextCall
  receiver: TextReceiver
  record: VendorCallRecord
}

/** Sends one answer piece by piece. */
class Serving implements TextSent {
  readonly #parts: ServingParts
  #next: Event | undefined
  #pieces: { bytes: Buffer; hasUsage: boolean }[] = []
  #isPaused = false
  /** The connection breaks before the reply is whole. */
  #isCut = false

  constructor(parts: ServingParts) {
    this.#parts = parts
    this.#plan()
  }

  stop(_kind: string): void {
    if (this.#parts.record.end === undefined) this.#fail('stopped', 'aborted', 'maybe', 0)
  }

  #plan(): void {
    const { faults, random } = this.#parts
    if (faults.happens('vendor-error', 0.06)) this.#refuse(random.pick(ERRORS))
    else if (faults.happens('vendor-silence', 0.02))
      this.#fail('broken', 'timeout-first-byte', 'maybe', SILENCE_MS)
    else if (faults.happens('vendor-cut', 0.02)) {
      const isTaken = random.chance(0.5)
      this.#fail('broken', isTaken ? 'broken' : 'refused', isTaken ? 'maybe' : 'no', random.whole(1, 500))
    } else this.#answer()
  }

  #answer(): void {
    const { faults, random, call, record } = this.#parts
    const reply = {
      callId: record.id,
      model: call.model,
      words: [
        `${record.tag} call-${record.id} `,
        ...Array.from({ length: random.whole(1, 6) }, () => 'word '),
      ],
      usage: record.usage,
    }
    this.#pieces = record.isStream
      ? writeStream(call.dialect, reply).flatMap((frame) => cutSomewhere(frame, random))
      : [{ bytes: Buffer.from(writeWhole(call.dialect, reply)), hasUsage: true }]
    this.#isCut = faults.happens('vendor-cut', 0.03)
    if (this.#isCut) this.#pieces.length = random.whole(0, this.#pieces.length - 1)
    this.#after(random.whole(5, 1_500), () => {
      this.#parts.receiver.onHead({ status: 200, retryAfterMs: undefined }, this.#flow())
      this.#continue()
    })
  }

  #flow() {
    return {
      pause: () => {
        this.#isPaused = true
      },
      resume: () => {
        if (!this.#isPaused) return
        this.#isPaused = false
        if (this.#parts.record.end === undefined) this.#continue()
      },
      stop: (kind: string) => this.stop(kind),
    }
  }

  #continue(): void {
    const { random, receiver, record } = this.#parts
    this.#after(random.whole(0, 120), () => {
      if (this.#isPaused) return
      const piece = this.#pieces.shift()
      if (piece !== undefined) {
        if (piece.hasUsage) record.usageHandedOver = true
        receiver.onChunk(piece.bytes)
        if (record.end === undefined) this.#continue()
      } else if (this.#isCut) this.#fail('broken', 'broken', 'maybe', 0)
      else {
        record.end = 'whole'
        receiver.onEnd()
      }
    })
  }

  #refuse(status: number): void {
    const { random, receiver, record } = this.#parts
    this.#after(random.whole(5, 800), () => {
      record.end = 'error'
      receiver.onHead({ status, retryAfterMs: undefined }, this.#flow())
      receiver.onChunk(Buffer.from(JSON.stringify({ error: { type: 'made_up', message: 'made up' } })))
      receiver.onEnd()
    })
  }

  #fail(end: 'stopped' | 'broken', kind: string, taken: 'no' | 'maybe', afterMs: number): void {
    const { receiver, record } = this.#parts
    if (end === 'stopped') record.end = end
    this.#after(afterMs, () => {
      record.end = end
      receiver.onFailure({ kind, taken, retryAfterMs: undefined })
    })
  }

  /** Plans the next action, and cancels the action that was planned before. */
  #after(ms: number, run: () => void): void {
    const { world, owner, record } = this.#parts
    if (this.#next !== undefined) this.#next.isCancelled = true
    this.#next = world.after(ms, owner, `vendor call ${record.id}`, run)
  }
}

/** Cuts bytes at positions that ignore frames. */
function cutSomewhere({ bytes, hasUsage }: { bytes: string; hasUsage: boolean }, random: Random) {
  const whole = Buffer.from(bytes)
  if (!random.chance(0.2)) return [{ bytes: whole, hasUsage }]
  const at = random.whole(1, whole.length - 1)
  return [
    { bytes: whole.subarray(0, at), hasUsage: false },
    { bytes: whole.subarray(at), hasUsage },
  ]
}
