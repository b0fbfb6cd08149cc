import type { ReplyOrigin } from '../canonical/codec.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { Unchecked } from '../values/values.ts'
import type { BlockQueue } from './block-queue.ts'
import { isSignature } from './call-signature.ts'
import { StreamFormatError } from './error-in.ts'
import { type CallPiece, findCall } from './find-call.ts'
import { ToolCallAccumulator } from './tool-call-accumulator.ts'
import type { CallDelta } from './wire.ts'

/** Maximum number of calls: every piece is compared with every call, and no model makes as many. */
const CALLS_MAX = 512

/** The calls of one reply; each takes its pieces. */
export class ToolCallList {
  /** The vendor's id of the reply: it makes substitute ids differ from those of other replies. */
  replyId = ''
  readonly #queue: BlockQueue
  readonly #origin: ReplyOrigin
  readonly #calls: ToolCallAccumulator[] = []
  /** Ids as sent to the client: no two calls have the same one. */
  readonly #sentIds = new Set<string>()

  constructor(queue: BlockQueue, origin: ReplyOrigin) {
    this.#queue = queue
    this.#origin = origin
  }

  get isEmpty(): boolean {
    return this.#calls.every((call) => call.isEmpty)
  }

  /** Takes pieces that came together. `distinct`: no two of them belong to one call, as in a whole message. */
  take(entries: readonly Unchecked<CallDelta>[], { distinct }: { distinct: boolean }): void {
    const before = this.#calls.length
    for (const entry of entries) {
      const piece = pieceOf(entry)
      const found = findCall(piece, this.#calls)
      const isNew = found === undefined || (distinct && this.#calls.indexOf(found) >= before)
      const call = isNew ? this.#begin() : found
      const { extra_content: signature } = entry
      if (isSignature(signature)) call.addSignature(signature)
      call.add(piece)
    }
  }

  endAll(): void {
    for (const call of this.#calls) call.end()
  }

  endWholeOnes(): void {
    for (const call of this.#calls) call.endIfWhole()
  }

  #begin(): ToolCallAccumulator {
    if (this.#calls.length === CALLS_MAX) throw new StreamFormatError('it has too many calls')
    this.endWholeOnes()
    const substituteId = `call_${this.replyId.replace(/[^a-zA-Z0-9]/g, '')}_${this.#calls.length}`
    const call = new ToolCallAccumulator({
      queue: this.#queue,
      origin: this.#origin,
      sentIds: this.#sentIds,
      substituteId,
    })
    this.#calls.push(call)
    return call
  }
}

function pieceOf({ index, id, function: called }: Unchecked<CallDelta>): CallPiece {
  const named = isJsonObject(called) ? called : {}
  return {
    index: typeof index === 'number' ? index : undefined,
    id: typeof id === 'string' ? id : '',
    name: typeof named.name === 'string' ? named.name : '',
    arguments: spelled(named.arguments),
  }
}

/** Some vendors send the arguments as one object, not as text. */
function spelled(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return isJsonObject(value) ? JSON.stringify(value) : undefined
}
