import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import type { TextCall, TextHead, TextProvider } from '../../ports/text-provider.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import { errorContextOf, errorOfAnswer } from './call/text-vendor-error.ts'
import type { TextCommand } from './contract/text-command.ts'
import { passingTarget } from './plan/plan-passthrough.ts'
import type { ChooseRoute, TextRoute } from './route/choose-route.ts'
import { requireModel } from './route/require-model.ts'
import type { KeepToOwnIds } from './vendor-state/keep-to-own-ids.ts'

export type CountTokens = (command: TextCommand) => Promise<number>

/** Timeout for the vendor's count. */
const PATIENCE_MS = 10_000

/** Uses the vendor's count. Without one, or when the vendor fails, the gateway estimates. */
export function countTokens(input: {
  prices: PriceBook
  chooseRoute: ChooseRoute
  keepToOwnIds: KeepToOwnIds
  patienceMs?: number
}): CountTokens {
  const { prices, chooseRoute, keepToOwnIds, patienceMs = PATIENCE_MS } = input
  return async (command) => {
    const { endpoint, caller } = command
    const { organizationId } = caller
    const model = await prices.findModel(String(command.body.value.model), organizationId)
    const name = requireModel(command, model)
    const question = { endpoint, operation: 'count-tokens', name, organizationId, isStream: false } as const
    const route = chooseRoute(model, { ...question, triedTargets: 0 })
    const own = await keepToOwnIds(command, route)
    const isPassthrough = route.upstream.dialect === endpoint
    const counted = isPassthrough && route.upstream.countsTokens ? await askVendor(own, route) : undefined
    if (counted !== undefined) return counted
    if (isPassthrough) CLIENT_DIALECTS[endpoint].checkCountable?.(command.body.value)
    return command.body.countInput(isPassthrough)
  }

  /** Returns undefined when the vendor gave no count. Throws the client's error when the vendor refused the request itself. */
  async function askVendor(command: TextCommand, route: TextRoute): Promise<number | undefined> {
    const { endpoint: dialect, version, betas, caller } = command
    const { provider, upstream } = route
    const { body } = await command.body.pass(passingTarget(route))
    const { organizationId } = caller
    const call = { organizationId, model: upstream.upstream, dialect, operation: 'count-tokens' } as const
    const answer = await askWhole(provider, { ...call, body, version, betas }, { patienceMs })
    if (answer === undefined) return undefined
    const { head, body: received } = answer
    if (head.status === 200) return countIn(received)
    const { apiError, isVendorFault } = errorOfAnswer(head, received, errorContextOf(route, command))
    if (isVendorFault) return undefined
    throw apiError
  }
}

function countIn(body: Buffer): number | undefined {
  const { input_tokens: count } = Object(parseOrNone(body.toString('utf8')))
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

const ANSWER_BYTES_MAX = 64 * 1024

/** Reads a short answer of a vendor to its end; undefined: it came too late or was too long. */
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
