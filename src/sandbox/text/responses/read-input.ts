import { type AskedTurn, type OfferedTool, turnOf } from '../asked.ts'
import { Field } from '../field.ts'
import { openSeal } from '../mind/seal.ts'
import { TextProblem } from '../problem.ts'
import { readContent } from './read-content.ts'
import { readTools } from './read-tools.ts'
import type { StoredItems } from './stored-items.ts'

export interface ReadInput {
  turns: AskedTurn[]
  /** Tools that stand inside the conversation. */
  tools: OfferedTool[]
}

interface Memory {
  isStored: boolean
  stored: StoredItems
}

interface Reading extends ReadInput, Memory {
  /** Calls that wait for their output. */
  open: Map<string, 'function_call' | 'custom_tool_call'>
}

/** Reads the conversation: no output comes without its call, and no call stays without its output. */
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
  compaction: () => {},
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
  const id = item.member('call_id').words()
  if (open.has(id)) item.member('call_id').fail(`Duplicate call_id ${id}.`)
  open.set(id, kind)
  const input = item.member(kind === 'function_call' ? 'arguments' : 'input').text()
  turns.push(turnOf({ role: 'assistant', texts: [item.member('name').words(), input] }))
}

function readOutput(item: Field, { turns, open }: Reading, kind: 'function_call' | 'custom_tool_call'): void {
  const id = item.member('call_id').words()
  if (open.get(id) !== kind) item.fail(`No tool call found for function call output with call_id ${id}.`)
  open.delete(id)
  turns.push(turnOf({ ...readContent(item.member('output'), 'input'), role: 'user', hasResults: true }))
}

/** Where nothing is stored, only a seal can prove what the vendor thought. */
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

function readReference(item: Field, reading: Reading): void {
  const id = item.member('id').words()
  const found = reading.stored.find(id)
  if (found === undefined)
    throw new TextProblem('missing', `Item with id '${id}' not found.`, { at: item.at })
  readItem(new Field(found, item.at), reading)
}

function checkId(item: Field, prefix: string): void {
  const id = item.member('id')
  if (id.isGiven && !id.text().startsWith(prefix)) id.fail(`Expected an ID that begins with '${prefix}'.`)
}
