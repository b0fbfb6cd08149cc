import type { Part, Turn } from '../canonical/request.ts'
import type { Block, MessageTurn } from './wire.ts'
import { type WritePartContext, writePart } from './write-part.ts'

export interface MessagesTurns {
  system: Block[]
  messages: MessageTurn[]
}

/**
 * Writes turns. System turns at the start are the system prompt. Later ones keep their position, because the order has
 * a meaning: they become text of the user between `<system>` marks. Consecutive turns of one speaker become one
 * message, with results of tools first, as this dialect requires.
 */
export function writeTurns(turns: readonly Turn[], context: WritePartContext): MessagesTurns {
  const opening = openingOf(turns)
  const messages: MessageTurn[] = []
  for (const turn of turns.slice(opening)) addTurn(messages, turn, context)
  const system = turns.slice(0, opening).flatMap(({ parts }) => writeAll(parts, context))
  dropLastThoughts(messages, context)
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [beginning(messages)] })
  if (turns.at(-1)?.role !== 'assistant' && messages.at(-1)?.role === 'assistant') messages.push(GOES_ON)
  for (const message of messages) putResultsFirst(message)
  trimEnd(messages)
  return { system, messages }
}

/** Number of turns that form the system prompt. The first turn with anything but text ends it. */
function openingOf(turns: readonly Turn[]): number {
  const end = turns.findIndex((turn) => !isSystem(turn) || turn.parts.some(({ kind }) => kind !== 'text'))
  return end === -1 ? turns.length : end
}

function isSystem({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

/** A conversation begins with the user, who may have sent no content. */
function beginning(messages: readonly MessageTurn[]): Block {
  return { type: 'text', text: messages.length === 0 ? 'Begin.' : CONVERSATION_GOES_ON }
}

const CONVERSATION_GOES_ON = '(The conversation goes on.)'

/** Follows the assistant when nothing of the last message could be sent: otherwise the model would continue its own text. */
export const GOES_ON: MessageTurn = { role: 'user', content: [{ type: 'text', text: CONVERSATION_GOES_ON }] }

function addTurn(messages: MessageTurn[], turn: Turn, context: WritePartContext): void {
  for (const part of turn.parts) {
    const block = writePart(isSystem(turn) ? marked(part) : part, context)
    if (block === undefined) continue
    const role = speakerOf(part, turn)
    if (role === 'user') dropLastThoughts(messages, context)
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(block)
    else messages.push({ role, content: [block] })
  }
}

/** This dialect refuses a message that ends with reasoning: its answer was cut, or could not be sent. */
function dropLastThoughts(messages: MessageTurn[], { losses }: WritePartContext): void {
  const content = messages.at(-1)?.role === 'assistant' ? (messages.at(-1)?.content ?? []) : []
  for (let last = content.at(-1); last !== undefined && THOUGHTS.has(last.type); last = content.at(-1)) {
    content.pop()
    losses.add('reasoning_replay')
  }
  if (content.length === 0 && messages.at(-1)?.role === 'assistant') messages.pop()
}

const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/** An answer that the model has to continue may not end with blanks. */
function trimEnd(messages: readonly MessageTurn[]): void {
  const last = messages.at(-1)?.role === 'assistant' ? messages.at(-1)?.content : undefined
  const block = last?.at(-1)
  if (last !== undefined && block?.type === 'text')
    last[last.length - 1] = { ...block, text: String(block.text).trimEnd() }
}

function marked(part: Part): Part {
  if (part.kind !== 'text' || part.text.trim() === '') return part
  return { ...part, text: `<system>\n${part.text}\n</system>` }
}

/** Calls belong to the assistant and results to the user, whatever turn they came in. */
function speakerOf({ kind }: Part, { role }: Turn): MessageTurn['role'] {
  if (kind === 'tool-result') return 'user'
  return kind === 'tool-call' || kind === 'reasoning' || role === 'assistant' ? 'assistant' : 'user'
}

function writeAll(parts: readonly Part[], context: WritePartContext): Block[] {
  return parts.map((part) => writePart(part, context)).filter((block) => block !== undefined)
}

function putResultsFirst(message: MessageTurn): void {
  const { content } = message
  const firstOther = content.findIndex(({ type }) => type !== 'tool_result')
  if (firstOther === -1 || !content.some(({ type }, at) => type === 'tool_result' && at > firstOther)) return
  const results = content.filter(({ type }) => type === 'tool_result')
  message.content = [...results, ...content.filter(({ type }) => type !== 'tool_result')]
}
