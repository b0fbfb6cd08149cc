import type { IncomingHttpHeaders } from 'node:http'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import type { Operation } from '../operation.ts'
import { readTextCommand } from './read-text-command.ts'
import type { VersionRule } from './read-version.ts'

/** What an endpoint asks for, and what it takes from the headers besides what all of them take. */
interface EndpointWords {
  /** Left out: it has no versions. */
  readVersion?(headers: IncomingHttpHeaders, rule: VersionRule): string | undefined
  betas: 'anthropic-beta' | 'openai-beta'
  /** Left out: a reply. */
  operation?: 'compact'
}

/** The handler of an operation that a model answers. It waits for nothing where the body was read on this thread. */
export function textHandler(
  endpoint: TextEndpoint,
  { readVersion, betas, operation }: EndpointWords,
): Operation['handle'] {
  return ({ app, requiresVersion }) =>
    (request, reply) => {
      const { headers } = request
      const words = {
        ...{ endpoint, operation: operation ?? ('create' as const) },
        ...{ version: readVersion?.(headers, { requiresVersion }), betas: headers[betas] },
      }
      const command = readTextCommand(request, words, { app, reply })
      return command instanceof Promise
        ? command.then((read) => app.answerText(read, reply))
        : app.answerText(command, reply)
    }
}
