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

/** Checks the API key and its rate before the body is read, so clients without a key cannot fill the slots. */
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

  /** Sets the caller first, so that a refused request is counted and logged with its organization. */
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
      // Returns nothing, which ends the turn: the work of the request, such as reading rows, follows later.
      turns.take(organizationId, () => done())
    }
    if (standing instanceof Promise) standing.then(admit, done)
    else admit(standing)
  }

  /** Sheds load by the organization of the key. Returns the error, because throwing costs more. */
  function errorWhenOver({ organizationId }: Caller): ApiError | undefined {
    const apiError = load.apiErrorFor(organizationId)
    if (apiError?.code === 'overloaded') metrics.requestShed()
    return apiError
  }
}

const BEARER = /^bearer +(?=\S+$)/i

/**
 * Returns the API key; undefined without one, or with two different ones. A repeated `Authorization` header counts as
 * none: Node keeps the first, and a proxy may keep the second. Clients of text endpoints may send `x-api-key`.
 */
export function readApiKey(
  { headers, rawHeaders }: Pick<RawRequest, 'headers' | 'rawHeaders'>,
  area: Area,
): string | undefined {
  const { authorization } = headers
  const header = isTextEndpoint(area) ? headers['x-api-key'] : undefined
  if (header === undefined)
    return authorization === undefined ? undefined : readOnly(authorization, rawHeaders)
  // Node joins two `x-api-key` headers with a comma, which no key contains.
  if (typeof header !== 'string') return undefined
  if (authorization === undefined) return header
  return readOnly(authorization, rawHeaders) === header ? header : undefined
}

/** Returns the bearer token; undefined when the header is repeated or has another scheme. */
function readOnly(authorization: string, rawHeaders: readonly string[]): string | undefined {
  const token = authorization.replace(BEARER, '')
  return token === authorization || comesTwice('authorization', rawHeaders) ? undefined : token
}
