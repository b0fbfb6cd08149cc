import { openSeal } from '../behaviour/seal.ts'
import { Field } from '../field.ts'
import { type OfferedTool, type RequestTurn, turnOf } from '../model-request.ts'
import { TextProblem } from '../problem.ts'
import { readTools } from './read-tools.ts'
import type { ReplyItems } from './stored-items.ts'

export interface ReadInput {
  turns: RequestTurn[]
  /** Tools inside the conversation. */
  tools: OfferedTool[]
}

interface Memory {
  isStored: boolean
  stored: ReplyItems
}

interface Reading extends ReadInput, Memory {
  /** Calls that wait for their output. */
  open: Map<string, 'function_call' | 'custom_tool_call'>
}

/** Reads the conversation. Each output needs a call, and each call needs an output. */
export function readInput(input: Field, memory: Memory): ReadInput {
  const reading: Reading = { turns: [], tools: [], ...memory, open: new Map() }
  if (typeof input.value === 'string') {
    return { turns: [turnOf({ role: 'user', prompt: input.value })], tools: [] }
  }
  for (const item of input.items()) readItem(item, reading)
  const [missing] = reading.open.keys()
  if (missing !== undefined) input.fail(`No tool output found for function call ${missing}.`)
  return reading
}

const ITEMS: Readonly<Record<string, (item: Field, reading: Reading) => void>> = {
  message: readMessage,
  function_call: (item, reading) => readCall(item, reading, 'function_call'),
  custom_tool_call: (item, reading) => readCall(item, reading, 'custom_tool_call'),
  function_call_output: (item, reading) => readOutput(item, reading, 'function_call'),
  custom_tool_call_output: (item, reading) => readOutput(item, reading, 'custom_tool_call'),
  reasoning: readReasoning,
  additional_tools: readOffers,
  item_reference: readReference,
  compaction: readCompaction,
  compaction_trigger: () => {},
  web_search_call: () => {},
  tool_search_call: () => {},
  tool_search_output: readOffers,
}

function readItem(item: Field, reading: Reading): void {
  const type = item.member('type').ifGiven((field) => field.text()) ?? 'message'
  const read = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined
  if (read === undefined) item.member('type').fail(`'${type}' is no known type of item`)
  else read(item, reading)
}

function readOffers(item: Field, { tools }: Reading): void {
  for (const tool of readTools(item.member('tools'))) tools.push(tool)
}

function readMessage(item: Field, { turns }: Reading): void {
  const role = item.member('role').oneOf(['user', 'assistant', 'system', 'developer'])
  if (role === 'assistant') checkId(item, 'msg')
  const content = readContent(item.member('content'), role === 'assistant' ? 'output' : 'input')
  const prompt = content.texts.join('\n')
  turns.push(turnOf({ ...content, prompt, role: role === 'developer' ? 'system' : role }))
}

function readCall(item: Field, { turns, open }: Reading, kind: 'function_call' | 'custom_tool_call'): void {
  checkId(item, kind === 'function_call' ? 'fc' : 'ctc')
  const id = item.member('call_id').nonEmptyText()
  if (open.has(id)) item.member('call_id').fail(`Duplicate call_id ${id}.`)
  open.set(id, kind)
  const input = item.member(kind === 'function_call' ? 'arguments' : 'input').text()
  turns.push(turnOf({ role: 'assistant', texts: [item.member('name').nonEmptyText(), input] }))
}

function readOutput(item: Field, { turns, open }: Reading, kind: 'function_call' | 'custom_tool_call'): void {
  const id = item.member('call_id').nonEmptyText()
  if (open.get(id) !== kind) item.fail(`No tool call found for function call output with call_id ${id}.`)
  open.delete(id)
  turns.push(turnOf({ ...readContent(item.member('output'), 'input'), role: 'user', hasResults: true }))
}

/** Without stored items only a seal can prove the vendor's reasoning. */
function readReasoning(item: Field, { turns, isStored }: Reading): void {
  checkId(item, 'rs')
  for (const part of item.member('summary').items()) {
    part.member('type').oneOf(['summary_text'])
    part.member('text').text()
  }
  const sealed = item.member('encrypted_content')
  if (!sealed.isGiven && !isStored) {
    throw new TextProblem('missing', `Item with id '${String(item.member('id').value)}' not found.`, {
      at: item.at,
    })
  }
  if (sealed.isGiven && openSeal('responses', sealed.text()) === undefined) {
    sealed.fail('The encrypted content could not be verified.')
  }
  turns.push(turnOf({ role: 'assistant', texts: [] }))
}

/** Reads the earlier conversation from one item. */
function readCompaction(item: Field, { turns }: Reading): void {
  checkId(item, 'cmp')
  const sealed = item.member('encrypted_content')
  const said = openSeal('compaction', sealed.text())
  if (said === undefined) sealed.fail('The encrypted content could not be verified.')
  else turns.push(turnOf({ role: 'assistant', prompt: said }))
}

function readReference(item: Field, reading: Reading): void {
  const id = item.member('id').nonEmptyText()
  const found = reading.stored.find(id)
  if (found === undefined)
    throw new TextProblem('missing', `Item with id '${id}' not found.`, { at: item.at })
  readItem(new Field(found, item.at), reading)
}

function checkId(item: Field, prefix: string): void {
  const id = item.member('id')
  if (id.isGiven && !id.text().startsWith(prefix)) id.fail(`Expected an ID that begins with '${prefix}'.`)
}

type ReadContent = Pick<RequestTurn, 'images' | 'documents'> & { texts: string[] }

const KINDS = {
  input: ['input_text', 'input_image', 'input_file'],
  output: ['output_text', 'refusal'],
} as const

/** The parts of a message, or of a tool's output; a string stands for one text. */
function readContent(content: Field, side: 'input' | 'output'): ReadContent {
  if (typeof content.value === 'string') return { texts: [content.value], images: 0, documents: 0 }
  const read: ReadContent = { texts: [], images: 0, documents: 0 }
  for (const part of content.items()) {
    switch (part.member('type').oneOf<string>(KINDS[side])) {
      case 'input_image':
        readImage(part)
        read.images += 1
        break
      case 'input_file':
        readFile(part)
        read.documents += 1
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

function readImage(part: Field): void {
  part.member('detail').ifGiven((field) => field.oneOf(['low', 'high', 'auto', 'original']))
  if (part.member('file_id').isGiven) return
  const url = part.member('image_url')
  if (!/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)./.test(url.text())) {
    url.fail('Expected a base64-encoded data URL with an image MIME type, or an HTTP URL.')
  }
}

function readFile(part: Field): void {
  const given = ['file_data', 'file_id', 'file_url'].filter((name) => part.member(name).isGiven)
  if (given.length !== 1) part.fail('needs one of file_data, file_id or file_url')
  const data = part.member('file_data')
  if (!data.isGiven) return
  if (!/^data:[\w.+-]+\/[\w.+-]+;base64,./.test(data.text().slice(0, 200)))
    data.fail('must be a base64 data URL')
  part.member('filename').nonEmptyText()
}
