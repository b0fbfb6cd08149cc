import { countValues } from '../json/json-bounds.ts'
import { isJsonObject } from '../json/json-object.ts'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX } from '../json/parse-json.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import type { Emit } from './codec.ts'
import type { BlockHead, EndReason, ReplyEvent } from './reply-event.ts'

/**
 * Stands between a reader and a writer and checks the grammar of a reply. A violation becomes one `reply-failed`; nothing
 * follows an end. The arguments of a tool call are a JSON object unless the reply was cut short, so that clients need not
 * guess. The guard repairs nothing: a reader that forgot to close a block has misread the reply.
 *
 *   before --reply-start--> between --block-start--> inside --block-seal--> sealed --block-end--> between
 *   inside --block-end--> between --reply-end--> ended; any --reply-failed--> ended
 */
export function createGuard(emit: Emit): Emit {
  let state: GuardState = 'before'
  let open: BlockHead['kind'] = 'text'
  /** Arguments of the open call so far; undefined: the open block is not a call with JSON arguments. */
  let input: string | undefined
  let hasBadInput = false

  const fail = (breach: string) => {
    state = 'ended'
    const message = `The provider's reply is not well formed: ${breach}.`
    emit({ kind: 'reply-failed', failure: { kind: 'broken', message } })
  }

  return (event) => {
    if (state === 'ended') return
    const breach = breachOf(event, state, open)
    if (breach !== undefined) return fail(breach)
    if (event.kind === 'block-delta' && input !== undefined) input += event.text
    if (input !== undefined && input.length > INPUT_LENGTH_MAX) return fail(LONG_INPUT)
    if (event.kind === 'block-end' && input !== undefined) hasBadInput ||= !isInput(input)
    if (event.kind === 'reply-end' && hasBadInput && !isCutShort(event.reason)) return fail(BAD_INPUT)
    if (event.kind !== 'block-delta') state = AFTER[event.kind]
    if (event.kind === 'block-start') {
      open = event.block.kind
      input = event.block.kind === 'tool-call' && event.block.input === 'json' ? '' : undefined
    }
    emit(event)
  }
}

const BAD_INPUT = 'a call whose input is not a JSON object'
const LONG_INPUT = 'a call whose input is too long'
/** The input is buffered until it is parsed. */
const INPUT_LENGTH_MAX = 4 * 1024 * 1024

/** Empty arguments count as an empty object, and so does `null`, which some vendors write for it. */
function isInput(json: string): boolean {
  if (json.trim() === '') return true
  if (json.length > LIGHT_BYTES_MAX && !hasFewValues(json)) return false
  const value = parseOrNone(json)
  return isJsonObject(value) || value === null
}

/** A long input must have few values, because the main thread parses it. */
function hasFewValues(json: string): boolean {
  const bounds = { depthMax: Number.POSITIVE_INFINITY, valuesMax: LONG_VALUES_MAX, nul: 'pass' } as const
  return countValues(Buffer.from(json), bounds) <= LONG_VALUES_MAX
}

const LONG_VALUES_MAX = 4 * LIGHT_VALUES_MAX

/** Whether the reply was cut: only then may a call have stopped in the middle. */
function isCutShort({ kind }: EndReason): boolean {
  return kind === 'length' || kind === 'content-filter'
}

type GuardState = 'before' | 'between' | 'inside' | 'sealed' | 'ended'

const AFTER: Record<Exclude<ReplyEvent['kind'], 'block-delta'>, GuardState> = {
  'reply-start': 'between',
  'block-start': 'inside',
  'block-seal': 'sealed',
  'block-end': 'between',
  'reply-end': 'ended',
  'reply-failed': 'ended',
}

/** Describes how an event breaks the grammar in this state; undefined: it does not. */
function breachOf(event: ReplyEvent, state: GuardState, open: BlockHead['kind']): string | undefined {
  switch (event.kind) {
    case 'block-delta':
      if (state !== 'inside') return state === 'sealed' ? 'content after a seal' : 'content outside a block'
      if (event.text === '') return 'an empty piece of content'
      return open === 'opaque' ? 'content in an opaque block' : undefined
    case 'reply-start':
      return state === 'before' ? undefined : 'it began twice'
    case 'block-start':
      if (state === 'before') return 'a block before its beginning'
      return state === 'between' ? undefined : 'a block within a block'
    case 'block-seal':
      if (state !== 'inside') return state === 'sealed' ? 'two seals on a block' : 'a seal outside a block'
      return open === 'reasoning' ? undefined : 'a seal on something that is not reasoning'
    case 'block-end':
      return state === 'inside' || state === 'sealed' ? undefined : 'the end of a block that is not open'
    case 'reply-end':
      if (state === 'before') return 'an end before its beginning'
      return state === 'between' ? undefined : 'an end within a block'
    case 'reply-failed':
      return undefined
  }
}
