import { fitsStrict } from '../hub/fits-strict.ts'
import { formatName } from '../hub/format-name.ts'
import type { OutputFormat } from '../hub/text-request.ts'

/** The shape the text is held to. */
export function writeFormat(format: OutputFormat): object {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return {
    type: 'json_schema',
    name: formatName(name),
    ...(description === undefined ? {} : { description }),
    schema,
    strict: strict ?? fitsStrict(schema),
  }
}
