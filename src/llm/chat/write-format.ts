import { formatName } from '../hub/format-name.ts'
import type { LossName } from '../hub/losses.ts'
import { strictnessOf } from '../hub/strictness-of.ts'
import type { OutputFormat } from '../hub/text-request.ts'

/** The shape the text is held to. */
export function writeFormat(format: OutputFormat, losses: Set<LossName>): object {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name, description, schema } = format
  return {
    type: 'json_schema',
    json_schema: {
      name: formatName(name),
      description,
      schema,
      strict: strictnessOf(format, losses),
    },
  }
}
