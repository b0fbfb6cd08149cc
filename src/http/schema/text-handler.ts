import type { IncomingHttpHeaders } from 'node:http'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import type { Operation } from '../operation.ts'
import { readTextCommand } from './read-text-command.ts'
import type { VersionRule } from './read-version.ts'

/** Differences between text endpoints: the operation, and the headers that only some of them have. */
interface EndpointOptions {
  /** Absent for an endpoint without versions. */
  readVersion?(headers: IncomingHttpHeaders, rule: VersionRule): string | undefined
  betas: 'anthropic-beta' | 'openai-beta'
  /** Default: `create`. */
  operation?: 'compact'
}

/** Handler of an operation that a model answers. It is synchronous when the body was parsed on this thread. */
export function textHandler(endpoint: TextEndpoint, options: EndpointOptions): Operation['handle'] {
  const { readVersion, betas, operation } = options
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
