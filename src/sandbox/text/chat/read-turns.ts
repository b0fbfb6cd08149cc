import { type AskedTurn, turnOf } from '../asked.ts'
import type { Field } from '../field.ts'
import { readContent } from './read-content.ts'
import { checkSignature } from './signed-call.ts'

/** Reads the conversation: the results of all calls follow right after them, and no result comes without its call. */
export function readTurns(messages: Field): AskedTurn[] {
  const items = messages.items()
  if (items.length === 0) messages.fail('[] is too short')
  const open = new Set<string>()
  const turns = items.map((message) => {
    const role = message.member('role').oneOf(['system', 'developer', 'user', 'assistant', 'tool'])
    if (role === 'tool') return readResult(message, open)
    if (open.size > 0) missResults(open, message)
    if (role === 'assistant') return readAssistant(message, open)
    const content = readContent(message.member('content'), role === 'user' ? USER_KINDS : TEXT_KINDS)
    return turnOf({ ...content, prompt: content.texts.join('\n'), role: role === 'user' ? 'user' : 'system' })
  })
  if (open.size > 0) missResults(open, messages)
  return turns
}

const TEXT_KINDS = ['text']
const USER_KINDS = ['text', 'image_url', 'file', 'input_audio']
const ASSISTANT_KINDS = ['text', 'refusal']

function readResult(message: Field, open: Set<string>): AskedTurn {
  const id = message.member('tool_call_id')
  if (!open.delete(id.words())) {
    message.fail("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
  }
  const { texts } = readContent(message.member('content'), TEXT_KINDS)
  return turnOf({ role: 'user', texts, hasResults: true })
}

function readAssistant(message: Field, open: Set<string>): AskedTurn {
  const content = message.member('content')
  const calls = message.member('tool_calls').ifGiven((field) => field.items()) ?? []
  if (message.member('tool_calls').isGiven && calls.length === 0)
    message.member('tool_calls').fail('[] is too short')
  if (!content.isGiven && calls.length === 0 && !message.member('refusal').isGiven) {
    content.fail('is required unless there are tool_calls')
  }
  message.member('reasoning_content').ifGiven((field) => field.text())
  const { texts } = content.isGiven ? readContent(content, ASSISTANT_KINDS) : { texts: [] }
  const said = calls.flatMap((call) => readCall(call, open))
  return turnOf({ role: 'assistant', texts: [...texts, ...said], prompt: texts.join('\n') })
}

function readCall(call: Field, open: Set<string>): string[] {
  const id = call.member('id').words()
  if (open.has(id)) call.member('id').fail('ids of calls must be unique')
  open.add(id)
  checkSignature(call)
  const type = call.member('type').oneOf(['function', 'custom'])
  const inner = call.member(type)
  const input = inner.member(type === 'function' ? 'arguments' : 'input')
  if (type === 'function' && !isJson(input.text())) input.fail('must be JSON')
  return [inner.member('name').words(), input.text()]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function missResults(open: Set<string>, place: Field): never {
  return place.fail(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. These did not have response messages: ${[...open].join(', ')}`,
  )
}
