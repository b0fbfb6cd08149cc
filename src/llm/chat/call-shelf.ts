import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { ToolNames } from '../hub/wire.ts'
import type { BlockQueue } from './block-queue.ts'
import { GrowingCall } from './growing-call.ts'

/** The calls of one reply. Pieces find their call by its index, or where a vendor leaves that out, by its id. */
export class CallShelf {
  /** Of the vendor: makes ids of our own unlike those of other replies. */
  replyId = ''
  readonly #queue: BlockQueue
  readonly #toolNames: ToolNames
  readonly #calls: GrowingCall[] = []
  readonly #byIndex = new Map<number, GrowingCall>()

  constructor(queue: BlockQueue, toolNames: ToolNames) {
    this.#queue = queue
    this.#toolNames = toolNames
  }

  get hasAny(): boolean {
    return this.#calls.length > 0
  }

  take({ index, id, function: called }: JsonObject): void {
    const said = isJsonObject(called) ? called : {}
    const callId = typeof id === 'string' ? id : ''
    const call = this.#find(typeof index === 'number' ? index : undefined, callId)
    call.addId(callId)
    if (typeof said.name === 'string') call.addName(said.name)
    call.addArguments(spelled(said.arguments))
  }

  endAll(): void {
    for (const call of this.#calls) call.end()
  }

  endWholeOnes(): void {
    for (const call of this.#calls) call.endIfWhole()
  }

  #find(index: number | undefined, id: string): GrowingCall {
    const known = index === undefined ? this.#byId(id) : this.#byIndex.get(index)
    // Another id at the same index is another call: some vendors count every call as the first.
    if (known !== undefined && (id === '' || known.id === '' || known.id === id)) return known
    this.endWholeOnes()
    const standInId = `call_${this.replyId.replace(/[^a-zA-Z0-9]/g, '')}_${this.#calls.length}`
    const call = new GrowingCall({ queue: this.#queue, toolNames: this.#toolNames, standInId })
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }

  #byId(id: string): GrowingCall | undefined {
    return id === '' ? this.#calls.at(-1) : this.#calls.find((call) => call.id === id)
  }
}

/** Some vendors give the arguments as an object, all at once. */
function spelled(value: unknown): string {
  if (typeof value === 'string') return value
  return isJsonObject(value) ? JSON.stringify(value) : ''
}
