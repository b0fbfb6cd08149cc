import type { App } from '../../app/app.ts'
import { isJsonObject } from '../../domain/json-object.ts'
import { CreateTaskBody } from './body-schema.ts'

export const IGNORED_HEADER = 'x-sluice-ignored'
export const IGNORED_NAMES_MAX = 32
const NAME_LENGTH_MAX = 64

const KNOWN: ReadonlySet<string> = new Set(Object.keys(CreateTaskBody.properties ?? {}))

/**
 * The value of the header that names the top-level fields without effect; undefined when there are none. A client chooses
 * the names, so what is not a plain character becomes `?`, and long names and long lists are cut.
 */
export function nameIgnored(
  body: unknown,
  { findVideoModel }: Pick<App, 'findVideoModel'>,
): string | undefined {
  if (!isJsonObject(body)) return undefined
  const family = typeof body.model === 'string' ? findVideoModel(body.model)?.family : undefined
  const ignored = Object.keys(body).filter(
    (name) => !KNOWN.has(name) || (family?.unusedFields.includes(name) === true && body[name] !== null),
  )
  if (ignored.length === 0) return undefined
  return ignored
    .slice(0, IGNORED_NAMES_MAX)
    .map((name) => name.slice(0, NAME_LENGTH_MAX).replaceAll(/[^\w.-]/g, '?') || '?')
    .join(', ')
}
