import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { checkDocument, checkImage } from './check-media.ts'
import type { ImageTally } from './image-tally.ts'
import { checkBoolean, checkPresent, checkString, invalid, type Place } from './place.ts'

/** Blocks of a message or of a tool's result. A kind nobody told us of passes as it is. */
export function checkBlocks(blocks: readonly unknown[], up: Place, images: ImageTally): void {
  for (let place = 0; place < blocks.length; place += 1) {
    const block = blocks[place]
    if (!isJsonObject(block)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(block, ['type'], at)
    if (typeof block.type !== 'string') throw invalid(at, 'type', 'must be a string')
    if (block.type === 'text') checkText(block, at)
    else CHECKS.get(block.type)?.(block, at, images)
  }
}

type CheckBlock = (block: JsonObject, at: Place, images: ImageTally) => void

const CHECKS: ReadonlyMap<string, CheckBlock> = new Map<string, CheckBlock>([
  ['image', checkImage],
  ['document', checkDocumentBlock],
  ['tool_use', checkToolUse],
  ['tool_result', checkToolResult],
  ['thinking', (block, at) => checkStrings(block, ['thinking'], at)],
  ['redacted_thinking', (block, at) => checkStrings(block, ['data'], at)],
])

function checkText(block: JsonObject, at: Place): void {
  if (typeof block.text !== 'string') checkStrings(block, ['text'], at)
}

function checkStrings(block: JsonObject, keys: readonly string[], at: Place): void {
  checkPresent(block, keys, at)
  for (const key of keys) checkString(block, key, at)
}

function checkToolUse(block: JsonObject, at: Place): void {
  checkPresent(block, ['id', 'name', 'input'], at)
  checkString(block, 'id', at)
  checkString(block, 'name', at)
  if (!isJsonObject(block.input)) throw invalid(at, 'input', 'must be an object')
}

function checkToolResult(block: JsonObject, at: Place, images: ImageTally): void {
  checkStrings(block, ['tool_use_id'], at)
  const { content } = block
  if (Array.isArray(content)) checkBlocks(content, { up: at, key: 'content' }, images)
  else if (!isAbsent(content) && typeof content !== 'string') {
    throw invalid(at, 'content', 'must be a string or an array of content blocks')
  }
  checkBoolean(block, 'is_error', at)
}

/** A document may be made of blocks itself, and its images count like any others. */
function checkDocumentBlock(block: JsonObject, at: Place, images: ImageTally): void {
  const source = checkDocument(block, at)
  if (source.type === 'content' && Array.isArray(source.content)) {
    checkBlocks(source.content, { up: { up: at, key: 'source' }, key: 'content' }, images)
  }
}
