import type { Field } from '../field.ts'
import { type RequestTurn, turnOf } from '../model-request.ts'
import { checkSignature } from './signed-call.ts'

/** Reads the conversation. The results of all calls must follow directly, and each result needs a call. */
export function readTurns(messages: Field): RequestTurn[] {
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

function readResult(message: Field, open: Set<string>): RequestTurn {
  const id = message.member('tool_call_id')
  if (!open.delete(id.nonEmptyText())) {
    message.fail("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
  }
  const { texts } = readContent(message.member('content'), TEXT_KINDS)
  return turnOf({ role: 'user', texts, hasResults: true })
}

function readAssistant(message: Field, open: Set<string>): RequestTurn {
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
  const id = call.member('id').nonEmptyText()
  if (open.has(id)) call.member('id').fail('ids of calls must be unique')
  open.add(id)
  checkSignature(call)
  const type = call.member('type').oneOf(['function', 'custom'])
  const inner = call.member(type)
  const input = inner.member(type === 'function' ? 'arguments' : 'input')
  if (type === 'function' && !isJson(input.text())) input.fail('must be JSON')
  return [inner.member('name').nonEmptyText(), input.text()]
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

type ReadContent = Pick<RequestTurn, 'images' | 'documents'> & { texts: string[] }

/** The parts of a message; a string stands for one text. */
function readContent(content: Field, kinds: readonly string[]): ReadContent {
  if (typeof content.value === 'string') return { texts: [content.value], images: 0, documents: 0 }
  const read: ReadContent = { texts: [], images: 0, documents: 0 }
  const parts = content.items()
  if (parts.length === 0) content.fail('[] is too short')
  for (const part of parts) {
    switch (part.member('type').oneOf(kinds)) {
      case 'image_url':
        readImage(part.member('image_url'))
        read.images += 1
        break
      case 'file':
        readFile(part.member('file'))
        read.documents += 1
        break
      case 'input_audio':
        part.member('input_audio').member('data').nonEmptyText()
        break
      case 'refusal':
        read.texts.push(part.member('refusal').text())
        break
      default:
        read.texts.push(part.member('text').text())
    }
  }
  return read
}

function readImage(image: Field): void {
  image.member('detail').ifGiven((field) => field.oneOf(['low', 'high', 'auto', 'original']))
  const url = image.member('url')
  if (!/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)./.test(url.text().slice(0, 200))) {
    url.fail('Expected a base64-encoded data URL with an image MIME type, or an HTTP URL.')
  }
}

function readFile(file: Field): void {
  const data = file.member('file_data')
  if (!data.isGiven && !file.member('file_id').isGiven) file.fail('needs file_data or file_id')
  if (!data.isGiven) return
  if (!/^data:[\w.+-]+\/[\w.+-]+;base64,./.test(data.text().slice(0, 200)))
    data.fail('must be a base64 data URL')
  file.member('filename').nonEmptyText()
}
