import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { OtherPrices } from '../../../domain/billing/price-text.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { RequestUsage } from '../../billing/spend.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import type { Runtime } from '../../runtime.ts'
import type { ReplyCharge } from '../contract/relay.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextPlan } from '../contract/text-plan.ts'
import { rowOf, type TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import { otherPrices } from '../route/other-prices.ts'
import { asksForLongCache, outputBoundOf, unreportedUsage } from '../route/request-bounds.ts'
import { tokenBoundsOf } from './clamp-tokens.ts'
import { type AskedModel, type ChargeBasis, chargeFor, usageOf } from './usage-of.ts'
import type { ServedEnd } from './vendor-call-end.ts'

export interface MeteredCall {
  route: TextRoute
  plan: TextPlan
  asked: AskedModel | undefined
  command: TextCommand
}

export interface TextMeter {
  /** Returns a promise only if other models took part and the catalog has to be read again. */
  measure(end: ServedEnd, call: MeteredCall & { durationMs: number }): RequestUsage | Promise<RequestUsage>
  /** Returns the charge before the reply is over; undefined: the charge would be an estimate, or the catalog has to be read. */
  chargeOf(end: ServedEnd, call: MeteredCall): ReplyCharge | undefined
}

const LOG_INTERVAL_MS = 60_000

export function createTextMeter(
  tools: Pick<Runtime, 'clock' | 'log'> & {
    prices: Pick<PriceBook, 'listModels'>
    rates: Pick<ModelRates, 'tokensPerSecond'>
    metrics: Pick<Metrics, 'usageFree'>
  },
): TextMeter {
  const { prices, rates, log, metrics, clock } = tools
  /** Time of the last log line for each free model, so that an intentionally free model does not fill the log. */
  const loggedAtMs = new Map<string, number>()

  function othersOf(end: ServedEnd, { route, command }: MeteredCall) {
    if (end.tokens?.surcharges?.others === undefined) return undefined
    const models = prices.listModels(command.caller.organizationId)
    return models instanceof Promise
      ? models.then((read) => otherPrices(read, route))
      : otherPrices(models, route)
  }

  function measuredFor(
    end: ServedEnd,
    call: MeteredCall,
    { others, durationMs, onUnpriced }: Pick<ChargeBasis, 'others' | 'durationMs' | 'onUnpriced'>,
  ): ChargeBasis {
    const { route, plan, asked, command } = call
    const maxOutputTokens = outputBoundOf(route, command)
    const choices = CLIENT_DIALECTS[command.endpoint].choicesIn?.(command.body.value) ?? 1
    const unreported = end.isReadToEnd ? undefined : unreportedUsage(call)
    return {
      requestId: command.requestId,
      operation: command.endpoint,
      route,
      asked,
      others,
      requested: unreported?.requested,
      asksForLongCache: () => asksForLongCache(route, command),
      countInput: plan.countInput,
      durationMs,
      losses: plan.losses,
      tokensPerSecond: rates.tokensPerSecond,
      maxOutputTokens,
      bounds: tokenBoundsOf({ route, plan, outputTokens: maxOutputTokens, choices }),
      onClamped: () => log.warn('usage.clamped', { provider: route.provider.name, reason: route.name }),
      elsewhereTokens: unreported?.elsewhereTokens,
      onUnpriced,
    }
  }

  /** Logs a fallback that serves, and warns about a price of zero, which may be intended or a mistake. */
  function noted(used: RequestUsage, { asked, route }: MeteredCall): RequestUsage {
    const { model, costMicros, priceLines } = used
    const provider = route.provider.name
    if (asked !== undefined)
      log.info('fallback.served', { provider, reason: `${rowOf(asked.route)} -> ${model}` })
    if (costMicros > 0 || !priceLines.some(({ priceMicros }) => priceMicros === 0)) return used
    metrics.usageFree(model)
    const nowMs = clock.monotonicMs()
    if (nowMs - (loggedAtMs.get(model) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return used
    loggedAtMs.set(model, nowMs)
    log.warn('usage.free', { provider, reason: model })
    return used
  }

  return {
    measure(end, call) {
      const { durationMs } = call
      const onUnpriced = (what: readonly string[]) =>
        log.warn('usage.unpriced', { provider: call.route.provider.name, reason: what.join(', ') })
      const usage = (others: OtherPrices | undefined) =>
        noted(usageOf(end, measuredFor(end, call, { others, durationMs, onUnpriced })), call)
      const others = end.charge === undefined ? othersOf(end, call) : undefined
      return others instanceof Promise ? others.then(usage) : usage(others)
    },
    chargeOf(end, call) {
      const others = othersOf(end, call)
      if (others instanceof Promise || (!end.isReadToEnd && end.hidden !== undefined)) return undefined
      return chargeFor(end, measuredFor(end, call, { others, durationMs: 0, onUnpriced: undefined }))
    },
  }
}
