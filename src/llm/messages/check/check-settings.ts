import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { isNil } from '../../values/values.ts'
import { checkPresent, checkString, invalid, type Place } from '../place.ts'

export function checkSettings(body: JsonObject): void {
  checkThinking(body.thinking)
  checkOutputConfig(body.output_config)
  checkFormat(body, 'output_format', undefined)
  checkMetadata(body.metadata)
}

/** Kinds that came after `enabled` and `disabled` pass. */
function checkThinking(thinking: unknown): void {
  if (isNil(thinking)) return
  if (!isJsonObject(thinking)) throw invalid(undefined, 'thinking', 'must be an object')
  const at = { up: undefined, key: 'thinking' }
  checkPresent(thinking, thinking.type === 'enabled' ? ['type', 'budget_tokens'] : ['type'], at)
  if (typeof thinking.type !== 'string') throw invalid(at, 'type', 'must be a string')
  const { budget_tokens: budget } = thinking
  if (!isNil(budget) && (!Number.isSafeInteger(budget) || Number(budget) <= 0)) {
    throw invalid(at, 'budget_tokens', 'must be an integer above 0')
  }
}

function checkOutputConfig(config: unknown): void {
  if (isNil(config)) return
  if (!isJsonObject(config)) throw invalid(undefined, 'output_config', 'must be an object')
  const at = { up: undefined, key: 'output_config' }
  checkString(config, 'effort', at)
  checkFormat(config, 'format', at)
}

/** It stands in `output_config`, or under the name it had before it moved there. */
function checkFormat(holder: JsonObject, key: string, at: Place): void {
  const format = holder[key]
  if (isNil(format)) return
  if (!isJsonObject(format)) throw invalid(at, key, 'must be an object')
  const formatAt = { up: at, key }
  checkPresent(format, ['type', 'schema'], formatAt)
  if (format.type !== 'json_schema') throw invalid(formatAt, 'type', 'must be json_schema')
  checkString(format, 'name', formatAt)
  if (!isJsonObject(format.schema)) throw invalid(formatAt, 'schema', 'must be a JSON schema object')
}

function checkMetadata(metadata: unknown): void {
  if (isNil(metadata)) return
  if (!isJsonObject(metadata)) throw invalid(undefined, 'metadata', 'must be an object')
  checkString(metadata, 'user_id', { up: undefined, key: 'metadata' })
}
