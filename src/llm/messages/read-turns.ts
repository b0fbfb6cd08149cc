import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../hub/losses.ts'
import type { Part, Turn } from '../hub/text-request.ts'
import { readPart } from './read-part.ts'

/** The system prompt comes first; turns keep their order, also system turns in the middle. */
export function readTurns({ system, messages }: JsonObject, losses: Set<LossName>): Turn[] {
  const turns: Turn[] = []
  const prompt = readContent(system, losses)
  if (prompt.length > 0) turns.push({ role: 'system', parts: prompt })
  if (!Array.isArray(messages)) return turns
  for (const message of messages) {
    if (!isJsonObject(message)) continue
    turns.push({ role: roleOf(message.role), parts: readContent(message.content, losses) })
  }
  return turns
}

function roleOf(role: unknown): Turn['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

function readContent(content: unknown, losses: Set<LossName>): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isJsonObject).map((block) => readPart(block, losses))
}
