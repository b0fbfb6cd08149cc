import { type AskedTurn, turnOf } from '../asked.ts'
import { Field } from '../field.ts'
import { readBlockTexts } from './read-blocks.ts'

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

/** Reads the conversation: each call has its result in the user turn that follows, and no result comes without its call. */
export function readTurns(messages: Field): AskedTurn[] {
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

function readTurn(role: AskedTurn['role'], blocks: readonly Field[]): AskedTurn {
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

/** A string is short for one text block. */
function blocksOf(content: Field): Field[] {
  if (typeof content.value !== 'string') return content.items()
  return [new Field({ type: 'text', text: content.value }, content.at)]
}

function typeOf(block: Field): unknown {
  return block.member('type').value
}

function callIds(blocks: readonly Field[]): Set<string> {
  const calls = blocks.filter((block) => typeOf(block) === 'tool_use')
  const ids = new Set(calls.map((call) => call.member('id').words()))
  if (ids.size < calls.length) calls[0]?.fail('`tool_use` ids must be unique')
  return ids
}

/** User turns in a row count as one, so a result may come in any of them. */
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
