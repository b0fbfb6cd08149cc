import type { Operation } from '../../operation.ts'
import { pathParametersOf } from '../openapi/path-parameters.ts'
import { sampleOf } from '../openapi/sample-of.ts'

/** Call of an example, before it is written in a language. Its path contains `$name` for each variable. */
export interface ExampleCall {
  method: Operation['method']
  path: string
  key: 'SLUICE_API_KEY' | 'SLUICE_ADMIN_KEY' | undefined
  headers: Readonly<Record<string, string>>
  body: unknown
  reply: 'json' | 'text' | 'stream' | 'bytes'
}

/** Value for the path: the id in the reply to an earlier call, or a sample that the reader replaces. */
export type ExampleVariable =
  | { name: string; earlier: ExampleCall; take: readonly (string | number)[] }
  | { name: string; sample: string }

export interface Example {
  variables: readonly ExampleVariable[]
  call: ExampleCall
}

export function exampleOf(operation: Operation): Example {
  const { path, example = {} } = operation
  const fixed = example.path ?? {}
  const variables = pathParametersOf(path)
    .filter(({ name }) => fixed[name] === undefined)
    .map(({ name, sample }): ExampleVariable => {
      if (example.earlier === undefined) return { name, sample }
      const { operation: first, query = '', body, take } = example.earlier
      const earlier = callOf(first)
      return {
        name,
        take,
        earlier: { ...earlier, path: `${earlier.path}${query}`, body: body ?? earlier.body },
      }
    })
  const shown = path.replaceAll(/:(\w+)/g, (_all, name: string) => fixed[name] ?? `$${name}`)
  return { variables, call: { ...callOf(operation), path: shown } }
}

function callOf({ method, path, access, headers = {}, body, replies }: Operation): ExampleCall {
  const sent = Object.entries(headers).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, example] as const],
  )
  const KEYS = { open: undefined, 'api-key': 'SLUICE_API_KEY', admin: 'SLUICE_ADMIN_KEY' } as const
  return {
    method,
    path,
    key: KEYS[access],
    headers: Object.fromEntries(sent),
    body: body === undefined ? undefined : sampleOf(body.schema),
    reply: replyKindOf(replies[200]?.contentType),
  }
}

function replyKindOf(contentType = 'application/json'): ExampleCall['reply'] {
  if (contentType === 'text/event-stream') return 'stream'
  if (contentType === '*/*') return 'bytes'
  return contentType === 'application/json' ? 'json' : 'text'
}
