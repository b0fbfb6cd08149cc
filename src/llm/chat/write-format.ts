import type { OutputFormat } from '../hub/text-request.ts'
import { fitsStrict } from '../responses/fits-strict.ts'

/** The shape the text is held to. This wire asks for a name, and clients of others often give none. */
export function writeFormat(format: OutputFormat): object {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name = '', description, schema, strict } = format
  return {
    type: 'json_schema',
    json_schema: {
      name: name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'reply',
      description,
      schema,
      strict: strict ?? fitsStrict(schema),
    },
  }
}
