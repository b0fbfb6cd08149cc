import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import { walkMembers } from '../../llm/passthrough/walk-members.ts'
import { METADATA_BYTES_MAX, METADATA_MEMBERS_MAX } from './bounds.ts'

const NONE = '{}'

/** The JSON text of `metadata` as it stands in the body: it is kept and shown again as it came. */
export function parseMetadata({ metadata }: JsonObject, bytes: Buffer): string {
  if (metadata === undefined || metadata === null) return NONE
  if (!isJsonObject(metadata)) throw wrong('metadata must be a JSON object.')
  const text = textOfMetadata(bytes)
  if (Buffer.byteLength(text) > METADATA_BYTES_MAX) {
    throw wrong(`metadata must have at most ${METADATA_BYTES_MAX} bytes of JSON.`)
  }
  if (countMembers(metadata) > METADATA_MEMBERS_MAX) {
    throw wrong(`metadata must have at most ${METADATA_MEMBERS_MAX} members, counted over all levels.`)
  }
  return text
}

/** Of two that have the same name the last counts, as it does for the parsed value. */
function textOfMetadata(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1')
  let place: [start: number, end: number] = [0, 0]
  walkMembers(latin1, latin1.indexOf('{'), (name, start, end) => {
    if (name === 'metadata') place = [start, end]
    return undefined
  })
  return bytes.toString('utf8', ...place)
}

/** Members of objects and elements of lists. The depth was bounded when the body was parsed. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return members.reduce<number>((count, member) => count + countMembers(member), members.length)
}

function wrong(message: string): Refusal {
  return new Refusal('invalid_parameter', { param: 'metadata', message })
}
