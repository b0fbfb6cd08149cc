import { isJsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { checkBlocks } from './check-blocks.ts'
import { ImageTally } from './image-tally.ts'
import { checkPresent, invalid } from './place.ts'

export function checkTurns(messages: unknown): void {
  if (!Array.isArray(messages)) throw invalid(undefined, 'messages', 'must be an array of messages')
  if (messages.length === 0) throw invalid(undefined, 'messages', 'must have at least one message')
  const up = { up: undefined, key: 'messages' }
  const images = new ImageTally()
  for (let place = 0; place < messages.length; place += 1) {
    const message: unknown = messages[place]
    if (!isJsonObject(message)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(message, ['role', 'content'], at)
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'system') {
      throw invalid(at, 'role', 'must be user or assistant')
    }
    if (typeof message.content === 'string') continue
    if (!Array.isArray(message.content)) {
      throw invalid(at, 'content', 'must be a string or an array of content blocks')
    }
    checkBlocks(message.content, { up: at, key: 'content' }, images)
  }
}

export function checkSystem(system: unknown): void {
  if (isAbsent(system) || typeof system === 'string') return
  if (!Array.isArray(system)) {
    throw invalid(undefined, 'system', 'must be a string or an array of text blocks')
  }
  const up = { up: undefined, key: 'system' }
  for (const [place, block] of system.entries()) {
    if (!isJsonObject(block)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(block, ['type', 'text'], at)
    if (block.type !== 'text') throw invalid(at, 'type', 'must be text')
    if (typeof block.text !== 'string') throw invalid(at, 'text', 'must be a string')
  }
}
