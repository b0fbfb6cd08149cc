import { requireAllowedModel } from '../../domain/access/allowed-models.ts'
import { countRequest } from '../../llm/count/count-tokens.ts'
import { countNative } from '../../llm/count-native.ts'
import { CLIENT_DIALECTS } from '../../llm/dialects.ts'
import { parseOrNone } from '../../llm/values/values.ts'
import type { TextCall, TextHead, TextProvider } from '../../ports/text-provider.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import { errorContextOf, errorOfAnswer } from './call/text-vendor-error.ts'
import { passedBody, passHeavy } from './plan/plan-passthrough.ts'
import type { ChooseRoute, TextRoute } from './route/choose-route.ts'
import type { KeepToOwnIds } from './route/keep-to-own-ids.ts'
import { isHeavy, type TextCommand } from './text-command.ts'

/** How many tokens a request would put in. It costs nothing. */
export type CountTokens = (command: TextCommand) => Promise<number>

/** A count is a courtesy: a vendor that takes longer is not waited for. */
const PATIENCE_MS = 10_000

/** The vendor's own count where it has one. Where it has none, or fails, ours: close enough to plan with. */
export function countTokens({
  prices,
  chooseRoute,
  keepToOwnIds,
  patienceMs = PATIENCE_MS,
}: {
  prices: PriceBook
  chooseRoute: ChooseRoute
  keepToOwnIds: KeepToOwnIds
  patienceMs?: number
}): CountTokens {
  return async (command) => {
    const { endpoint, caller } = command
    const name = requireAllowedModel(caller, String(command.body.value.model))
    const { organizationId } = caller
    const model = await prices.findModel(name, organizationId)
    const asked = { endpoint, operation: 'count-tokens', name, organizationId, isStream: false } as const
    const route = chooseRoute(model, { ...asked, tried: 0 })
    const own = await keepToOwnIds(command, route)
    const client = CLIENT_DIALECTS[endpoint]
    const isNative = route.upstream.dialect === endpoint
    const counted = isNative && route.upstream.countsTokens ? await askVendor(own, route) : undefined
    if (counted !== undefined) return counted
    if (isNative) client.checkCountable?.(command.body.value)
    if (isHeavy(command)) return command.body.run('count', { endpoint, isNative })
    return isNative ? countNative(command) : countRequest(client.readRequest(command.body.value))
  }

  /** undefined: the vendor did not say. Throws what it said against the request itself. */
  async function askVendor(command: TextCommand, route: TextRoute): Promise<number | undefined> {
    const { endpoint: dialect, version, betas, caller } = command
    const { provider, upstream } = route
    const { body } = isHeavy(command) ? await passHeavy(command, route) : passedBody(command, route)
    const { organizationId } = caller
    const asked = { organizationId, model: upstream.upstream, dialect, operation: 'count-tokens' } as const
    const answer = await askWhole(provider, { ...asked, body, version, betas }, { patienceMs })
    if (answer === undefined) return undefined
    const { head, body: said } = answer
    if (head.status === 200) return countIn(said)
    const { apiError, isTheirs } = errorOfAnswer(head, said, errorContextOf(route, command))
    if (isTheirs) return undefined
    throw apiError
  }
}

function countIn(body: Buffer): number | undefined {
  const { input_tokens: count } = Object(parseOrNone(body.toString('utf8')))
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

const ANSWER_BYTES_MAX = 64 * 1024

/** A short answer of a vendor, read to its end; undefined when none came in time, or one that is far too long. */
function askWhole(
  provider: TextProvider,
  call: TextCall,
  { patienceMs }: { patienceMs: number },
): Promise<{ head: TextHead; body: Buffer } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ head: TextHead; body: Buffer } | undefined>()
  const chunks: Buffer[] = []
  let head: TextHead | undefined
  let bytes = 0
  let stop = (): void => {}
  const sent = provider.send(call, {
    onHead(received, flow) {
      head = received
      stop = () => flow.stop('too-large')
    },
    onChunk(chunk) {
      bytes += chunk.length
      if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk)
      else stop()
    },
    onEnd: () =>
      resolve(
        head === undefined || bytes > ANSWER_BYTES_MAX ? undefined : { head, body: Buffer.concat(chunks) },
      ),
    onFailure: () => resolve(undefined),
  })
  const timer = setTimeout(() => sent.stop('aborted'), patienceMs)
  return promise.finally(() => clearTimeout(timer))
}
