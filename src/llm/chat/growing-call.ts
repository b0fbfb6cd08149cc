import { parseOrNone } from '../hub/parse-or-none.ts'
import type { ToolCallHead } from '../hub/reply-event.ts'
import { createTextInput, type TextInput } from '../hub/text-input.ts'
import type { ToolNames } from '../hub/wire.ts'
import type { BlockQueue, QueuedBlock } from './block-queue.ts'
import { BrokenReply } from './broken-reply.ts'

/** One call while it is being spelled: its id, its name, and then its arguments, in pieces of any size. */
export class GrowingCall {
  readonly #queue: BlockQueue
  readonly #toolNames: ToolNames
  readonly #block: QueuedBlock
  readonly #standInId: string
  #id = ''
  #name = ''
  #arguments = ''
  #textInput: TextInput | undefined

  constructor({
    queue,
    toolNames,
    standInId,
  }: { queue: BlockQueue; toolNames: ToolNames; standInId: string }) {
    this.#queue = queue
    this.#toolNames = toolNames
    this.#standInId = standInId
    this.#block = queue.open()
  }

  get id(): string {
    return this.#id
  }

  addId(id: string): void {
    if (this.#id === '') this.#id = id
  }

  /** Some vendors cut a name into pieces, others repeat it; once its arguments come it is whole. */
  addName(piece: string): void {
    if (this.#block.head === undefined && piece !== this.#name) this.#name += piece
  }

  addArguments(piece: string): void {
    if (piece === '') return
    if (this.#block.isEnded) throw new BrokenReply('a call goes on after its end')
    this.#arguments += piece
    if (this.#block.head !== undefined) this.#write(piece)
    else if (this.#name !== '') {
      this.#begin()
      this.#write(this.#arguments)
    }
  }

  /** Nothing can follow a whole object, so that the next block need not wait for the end of the reply. */
  endIfWhole(): void {
    if (this.#block.head !== undefined && !this.#block.isEnded && isWholeJson(this.#arguments)) this.end()
  }

  end(): void {
    if (this.#block.isEnded) return
    if (this.#name === '') throw new BrokenReply('a call has no name')
    if (this.#block.head === undefined) {
      this.#begin()
      this.#write(this.#arguments)
    }
    if (this.#textInput !== undefined) this.#queue.write(this.#block, this.#textInput.end())
    this.#queue.end(this.#block)
  }

  #begin(): void {
    const own = this.#toolNames.get(this.#name)
    const head: ToolCallHead = {
      kind: 'tool-call',
      callId: this.#id === '' ? this.#standInId : this.#id,
      name: own?.name ?? this.#name,
      namespace: own?.namespace,
      input: own?.input ?? 'json',
    }
    if (head.input === 'text') this.#textInput = createTextInput()
    this.#queue.name(this.#block, head)
  }

  #write(piece: string): void {
    this.#queue.write(this.#block, this.#textInput === undefined ? piece : this.#textInput.push(piece))
  }
}

function isWholeJson(text: string): boolean {
  return text.endsWith('}') && parseOrNone(text) !== undefined
}
