import { isTextEndpoint } from '@sluice/dialects/dialect-facts'
import type { App } from '../../app/app.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import type { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { RateStanding } from '../../ports/rate-meter.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { Area, EdgeRequest } from '../edge-request.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import { comesTwice, type RawRequest } from '../raw.ts'
import type { Step } from '../step.ts'

/**
 * Requires a key and checks its rate on every route of a path, before the body is read. Only a request with a known
 * key and within its rate counts as in flight, so that requests without a key cannot use these slots.
 */
export function authenticate(tools: {
  app: App
  area: Area
  load: LoadGauge
  turns: Pick<BodyTurns, 'take' | 'book'>
  metrics: Metrics
}): Step {
  const { app, area, load, turns, metrics } = tools
  const { book } = turns
  return (request, reply, done) => {
    const caller = app.authenticate(readApiKey(request.raw, area))
    if (!(caller instanceof Promise)) return recognise(caller, request, reply, done)
    caller
      .then((found) => {
        book.begin('')
        recognise(found, request, reply, done)
      })
      .catch(done)
  }

  /** From here on the request is counted and logged with its caller, also when it is refused. */
  function recognise(
    caller: Caller,
    request: EdgeRequest,
    reply: EdgeReply,
    done: Parameters<Step>[2],
  ): void {
    const { organizationId } = caller
    request.caller = caller
    book.claim(organizationId)
    const apiError = errorWhenOver(caller)
    if (apiError !== undefined) {
      done(apiError)
      return
    }
    const standing = app.checkRate(caller)
    const admit = (found: RateStanding | undefined) => {
      request.standing = found
      countInFlight(request, reply, load)
      if (!book.mustWait(organizationId)) return done()
      turns.take(organizationId, () => {
        done()
        return true
      })
    }
    if (standing instanceof Promise) standing.then(admit, done)
    else admit(standing)
  }

  /**
   * Only known callers have a share, so load is shed here and not before. The error is returned, because throwing
   * costs more.
   */
  function errorWhenOver({ organizationId }: Caller): ApiError | undefined {
    const apiError = load.apiErrorFor(organizationId)
    if (apiError?.code === 'overloaded') metrics.requestShed()
    return apiError
  }
}

const BEARER = /^bearer +(?=\S+$)/i

/**
 * Returns the key of a request; undefined when it has none or several: Node keeps the first of two `Authorization`
 * headers, a proxy perhaps the second. `x-api-key` counts only on the text endpoints, whose clients send it.
 */
export function readApiKey(
  { headers, rawHeaders }: Pick<RawRequest, 'headers' | 'rawHeaders'>,
  area: Area,
): string | undefined {
  const { authorization } = headers
  const header = isTextEndpoint(area) ? headers['x-api-key'] : undefined
  if (header === undefined)
    return authorization === undefined ? undefined : readOnly(authorization, rawHeaders)
  // Node joins two of these headers with a comma, which no key contains.
  if (typeof header !== 'string') return undefined
  if (authorization === undefined) return header
  return readOnly(authorization, rawHeaders) === header ? header : undefined
}

/** Returns the token of the only `Authorization` header. */
function readOnly(authorization: string, rawHeaders: readonly string[]): string | undefined {
  const token = authorization.replace(BEARER, '')
  return token === authorization || comesTwice('authorization', rawHeaders) ? undefined : token
}
