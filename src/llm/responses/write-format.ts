import type { OutputFormat } from '../hub/text-request.ts'
import { fitsStrict } from './fits-strict.ts'

/** The shape the text is held to. This wire asks for a name, and clients of others often give none. */
export function writeFormat(format: OutputFormat): object {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return {
    type: 'json_schema',
    name: nameOf(name),
    ...(description === undefined ? {} : { description }),
    schema,
    strict: strict ?? fitsStrict(schema),
  }
}

function nameOf(name: string | undefined): string {
  const cleaned = (name ?? '').replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return cleaned === '' ? 'reply' : cleaned
}
