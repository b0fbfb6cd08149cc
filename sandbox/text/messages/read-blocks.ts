import { openSeal } from '../behaviour/seal.ts'
import type { Field } from '../field.ts'

const BLOCKS: Readonly<Record<string, (block: Field) => string[]>> = {
  text: readText,
  image: readImage,
  document: readDocument,
  search_result: (block) => block.member('content').items().flatMap(readText),
  tool_reference: (block) => [block.member('tool_name').nonEmptyText()],
  thinking: readThinking,
  redacted_thinking: readRedactedThinking,
  tool_use: readToolUse,
  tool_result: readToolResult,
  server_tool_use: (block) => [block.member('name').nonEmptyText()],
  web_search_tool_result: () => [],
}

/** Checks one content block and returns its texts; `kinds` are the allowed kinds. */
export function readBlockTexts(block: Field, kinds: readonly string[]): string[] {
  const type = block.member('type').text()
  const read = kinds.includes(type) ? BLOCKS[type] : undefined
  if (read === undefined) {
    return block.fail(`Input tag '${type}' does not match any of the expected tags: ${kinds.join(', ')}`)
  }
  return read(block)
}

function readText(block: Field): string[] {
  const text = block.member('text')
  return text.text() === '' ? text.fail('text content blocks must be non-empty') : [text.text()]
}

function readImage(block: Field): string[] {
  const source = block.member('source')
  const type = source.member('type').oneOf(['base64', 'url', 'file'])
  if (type === 'base64') {
    source.member('media_type').oneOf(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
    readBase64(source.member('data'))
  }
  if (type === 'url') readLink(source.member('url'))
  return []
}

function readDocument(block: Field): string[] {
  const source = block.member('source')
  const type = source.member('type').oneOf(['base64', 'url', 'file', 'text', 'content'])
  if (type === 'text') return [source.member('data').nonEmptyText()]
  if (type === 'base64') {
    source.member('media_type').oneOf(['application/pdf'])
    readBase64(source.member('data'))
  }
  if (type === 'url') readLink(source.member('url'))
  return []
}

function readBase64(data: Field): void {
  const text = data.nonEmptyText()
  if (text.startsWith('data:') || text.length % 4 !== 0) data.fail('must be valid base64')
}

function readLink(url: Field): void {
  if (!url.nonEmptyText().startsWith('https://')) url.fail('Only HTTPS URLs are supported.')
}

/** The text must be empty, or equal to the sealed text. */
function readThinking(block: Field): string[] {
  const signature = block.member('signature')
  const thinking = block.member('thinking').text()
  const sealed = openSeal('messages', signature.nonEmptyText())
  if (sealed === undefined || (thinking !== '' && thinking !== sealed)) {
    signature.fail('Invalid `signature` in `thinking` block')
  }
  return [thinking]
}

function readRedactedThinking(block: Field): string[] {
  const data = block.member('data')
  if (openSeal('messages', data.nonEmptyText()) === undefined)
    data.fail('Invalid `data` in `redacted_thinking` block')
  return []
}

function readToolUse(block: Field): string[] {
  block.member('id').nonEmptyText()
  return [block.member('name').nonEmptyText(), JSON.stringify(block.member('input').object())]
}

const RESULT_KINDS = ['text', 'image', 'document', 'search_result', 'tool_reference']

function readToolResult(block: Field): string[] {
  block.member('tool_use_id').nonEmptyText()
  block.member('is_error').ifGiven((flag) => flag.boolean())
  const content = block.member('content')
  if (!content.isGiven) return []
  if (typeof content.value === 'string') return [content.value]
  return content.items().flatMap((inner) => readBlockTexts(inner, RESULT_KINDS))
}
