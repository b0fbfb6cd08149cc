import type { Schema } from '../behaviour/fit-schema.ts'
import { Field, refuseFields } from '../field.ts'
import {
  type ModelRequest,
  type OfferedTool,
  type RequestCache,
  type RequestToolChoice,
  type RequestTurn,
  turnOf,
} from '../model-request.ts'
import { readBlockTexts } from './read-blocks.ts'

const FIELDS_OF_OTHER_DIALECTS = [
  'input',
  'instructions',
  'max_output_tokens',
  'max_completion_tokens',
  'stop',
  'response_format',
]
const MARKS_MAX = 4

/** Reads `POST /v1/messages` with the checks of its vendor. A count of tokens needs no `max_tokens`. */
export function readMessagesRequest(body: Field, { needsMaxTokens = true } = {}): ModelRequest {
  refuseFields(body, FIELDS_OF_OTHER_DIALECTS)
  const maxTokens = needsMaxTokens
    ? body.member('max_tokens').wholeNumber({ min: 1 })
    : body.member('max_tokens').ifGiven((field) => field.wholeNumber({ min: 1 }))
  const tools = readTools(body.member('tools'))
  body.member('temperature').ifGiven((field) => field.number({ min: 0, max: 1 }))
  body.member('top_p').ifGiven((field) => field.number({ min: 0, max: 1 }))
  body.member('top_k').ifGiven((field) => field.wholeNumber({ min: 0 }))
  const choice = readChoice(body, tools.length)
  return {
    model: body.member('model').nonEmptyText(),
    stream: body.member('stream').ifGiven((field) => field.boolean()) ?? false,
    system: readSystem(body.member('system')),
    turns: readTurns(body.member('messages')),
    tools,
    choice: choice.choice,
    parallelCalls: choice.parallelCalls,
    schema: readFormat(body.member('output_config')),
    stopSequences: readStopSequences(body.member('stop_sequences')),
    maxTokens,
    hidesReasoning: readThinking(body.member('thinking'), maxTokens),
    wantsSeal: true,
    wantsUsage: true,
    cache: readCache(body),
  }
}

function readSystem(system: Field): string[] {
  if (!system.isGiven) return []
  if (typeof system.value === 'string') return [system.value]
  return system.items().flatMap((block) => readBlockTexts(block, ['text']))
}

function readChoice(body: Field, tools: number): { choice: RequestToolChoice; parallelCalls: boolean } {
  const field = body.member('tool_choice')
  if (!field.isGiven) return { choice: { kind: 'auto' }, parallelCalls: true }
  if (tools === 0) field.fail('may only be specified while providing tools')
  const type = field.member('type').oneOf(['auto', 'any', 'tool', 'none'])
  const isSingle = field.member('disable_parallel_tool_use').ifGiven((flag) => flag.boolean()) ?? false
  const parallelCalls = !isSingle
  if (type === 'tool')
    return { choice: { kind: 'tool', name: field.member('name').nonEmptyText() }, parallelCalls }
  return { choice: { kind: type === 'any' ? 'required' : type }, parallelCalls }
}

function readFormat(config: Field): Schema | undefined {
  if (!config.isGiven) return undefined
  config.member('effort').ifGiven((field) => field.oneOf(['low', 'medium', 'high', 'xhigh', 'max']))
  return config.member('format').ifGiven((format) => {
    format.member('type').oneOf(['json_schema'])
    return format.member('schema').object()
  })
}

function readStopSequences(field: Field): string[] {
  if (!field.isGiven) return []
  return field
    .items()
    .map((item) => (item.text().trim() === '' ? item.fail('must contain more than whitespace') : item.text()))
}

/** Whether the text of the reasoning stays hidden. */
function readThinking(thinking: Field, maxTokens: number | undefined): boolean {
  if (!thinking.isGiven) return false
  const type = thinking.member('type').oneOf(['enabled', 'disabled', 'adaptive', 'between_tools'])
  if (type === 'enabled') {
    const budget = thinking.member('budget_tokens')
    const tokens = budget.wholeNumber({ min: 1_024 })
    if (maxTokens !== undefined && tokens >= maxTokens) budget.fail('must be less than max_tokens')
  }
  if (type === 'disabled' || type === 'between_tools') return false
  return thinking.member('display').ifGiven((field) => field.oneOf(['summarized', 'omitted'])) === 'omitted'
}

function readCache(body: Field): RequestCache {
  const turns = body.member('messages').items()
  const inTurns = turns.map(countMarks)
  const inHead = countMarks(body.member('system')) + countMarks(body.member('tools'))
  const marks = inTurns.reduce((sum, count) => sum + count, inHead)
  if (marks > MARKS_MAX)
    body.fail(`A maximum of ${MARKS_MAX} blocks with cache_control may be provided. Found ${marks}.`)
  if (body.member('cache_control').isGiven) return { kind: 'marked', turns: turns.length }
  return marks === 0
    ? { kind: 'none' }
    : { kind: 'marked', turns: inTurns.findLastIndex((count) => count > 0) + 1 }
}

/** Marks on the blocks of a list, or of a turn's content. */
function countMarks(field: Field): number {
  const list = Array.isArray(field.value) ? field : contentOf(field)
  return list?.items().filter((block) => hasMark(block)).length ?? 0
}

function contentOf(field: Field): Field | undefined {
  const content = field.isGiven && typeof field.value === 'object' ? field.member('content') : undefined
  return Array.isArray(content?.value) ? content : undefined
}

function hasMark(block: Field): boolean {
  const mark = block.member('cache_control')
  if (!mark.isGiven) return false
  mark.member('type').oneOf(['ephemeral'])
  return true
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
/** The vendor's own tools have a date in their type. */
const OWN_TOOL = /_\d{8}$/

/** The tools that a client runs; the vendor's own are accepted and never called. */
function readTools(field: Field): OfferedTool[] {
  if (!field.isGiven) return []
  const names = new Set<string>()
  return field.items().flatMap((tool) => {
    const type = tool.member('type').ifGiven((kind) => kind.text()) ?? 'custom'
    if (type !== 'custom' && !OWN_TOOL.test(type))
      tool.member('type').fail(`'${type}' is no known type of tool`)
    if (type !== 'custom') return []
    const name = tool.member('name').text()
    if (!NAME.test(name)) tool.member('name').fail(`should match pattern '${NAME.source}'`)
    if (names.has(name)) tool.fail('Tool names must be unique.')
    names.add(name)
    const schema = tool.member('input_schema')
    schema.member('type').oneOf(['object'])
    const description = tool.member('description').ifGiven((text) => text.text()) ?? ''
    return [{ name, namespace: undefined, description, schema: schema.object() }]
  })
}

const KINDS = {
  user: ['text', 'image', 'document', 'tool_result', 'search_result'],
  assistant: [
    'text',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'server_tool_use',
    'web_search_tool_result',
  ],
  system: ['text'],
} as const

/** Reads the conversation. Each call needs a result before the next assistant turn, and each result needs a call. */
function readTurns(messages: Field): RequestTurn[] {
  const items = messages.items()
  if (items.length === 0) messages.fail('at least one message is required')
  let open = new Set<string>()
  let isFirst = true
  const turns = items.map((message) => {
    const role = message.member('role').oneOf(['user', 'assistant', 'system'])
    const blocks = blocksOf(message.member('content'))
    if (role === 'system') return readTurn(role, blocks)
    if (isFirst && role === 'assistant') message.fail('first message must use the "user" role')
    isFirst = false
    if (role === 'user') answerCalls(open, blocks)
    else if (open.size > 0) missResults(open, message)
    else open = callIds(blocks)
    return readTurn(role, blocks)
  })
  if (open.size > 0) missResults(open, messages)
  return turns
}

function readTurn(role: RequestTurn['role'], blocks: readonly Field[]): RequestTurn {
  const texts = blocks.flatMap((block) => readBlockTexts(block, KINDS[role]))
  const prompt = blocks
    .filter((block) => typeOf(block) === 'text')
    .map((block) => block.member('text').text())
  const count = (type: string) => blocks.filter((block) => typeOf(block) === type).length
  return turnOf({
    role,
    texts,
    prompt: prompt.join('\n'),
    images: count('image'),
    documents: count('document'),
    hasResults: count('tool_result') > 0,
  })
}

/** A string stands for one text block. */
function blocksOf(content: Field): Field[] {
  if (typeof content.value !== 'string') return content.items()
  return [new Field({ type: 'text', text: content.value }, content.at)]
}

function typeOf(block: Field): unknown {
  return block.member('type').value
}

function callIds(blocks: readonly Field[]): Set<string> {
  const calls = blocks.filter((block) => typeOf(block) === 'tool_use')
  const ids = new Set(calls.map((call) => call.member('id').nonEmptyText()))
  if (ids.size < calls.length) calls[0]?.fail('`tool_use` ids must be unique')
  return ids
}

/** Consecutive user turns count as one, so a result may come in any of them. */
function answerCalls(open: Set<string>, blocks: readonly Field[]): void {
  for (const result of blocks.filter((block) => typeOf(block) === 'tool_result')) {
    const id = result.member('tool_use_id').text()
    if (!open.delete(id)) {
      result.fail(
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
  }
}

function missResults(open: Set<string>, place: Field): never {
  return place.fail(
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}`,
  )
}
