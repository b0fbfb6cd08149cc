import type { Micros } from '../../../domain/billing/micros.ts'
import type { OtherPrices } from '../../../domain/billing/price-text.ts'
import type { Log } from '../../../ports/log.ts'
import type { Usage } from '../../billing/spend.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import type { TextPlan } from '../plan/text-plan.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import { otherPrices } from '../route/other-prices.ts'
import { outputBoundOf, unheardOf } from '../route/request-bounds.ts'
import type { TextCommand } from '../text-command.ts'
import { type AskedModel, usageOf } from './usage-of.ts'
import type { ServedEnd } from './vendor-call-end.ts'

/** A call whose reply is measured. */
export interface MeteredCall {
  route: TextRoute
  plan: TextPlan
  /** The model that was asked for, where a fallback serves. */
  asked: AskedModel | undefined
  command: TextCommand
}

export interface TextMeter {
  /** At once, unless other models took part and the catalog has to be read again. */
  measure(end: ServedEnd, call: MeteredCall & { durationMs: number }): Usage | Promise<Usage>
  /** What the client can be told before its reply is over; undefined: only an estimate is known, or the catalog has to be read. */
  costOf(end: ServedEnd, call: MeteredCall): Micros | undefined
}

/** Turns the end of a reply into what is charged for it. */
export function createTextMeter({
  prices,
  rates,
  log,
}: {
  prices: Pick<PriceBook, 'listModels'>
  rates: ModelRates
  log: Log
}): TextMeter {
  /** Prices of the vendor's other models, where one of them took part. */
  function othersOf(end: ServedEnd, { route, command }: MeteredCall) {
    if (end.tokens?.surcharges?.others === undefined) return undefined
    const models = prices.listModels(command.caller.organizationId)
    return models instanceof Promise
      ? models.then((read) => otherPrices(read, route))
      : otherPrices(models, route)
  }

  function usage(
    end: ServedEnd,
    call: MeteredCall & { durationMs: number },
    others: OtherPrices | undefined,
    onUnpriced?: (what: readonly string[]) => void,
  ): Usage {
    const { route, plan, asked, command, durationMs } = call
    const { losses, countInput } = plan
    const unheard = end.isReadToEnd ? undefined : unheardOf(call)
    return usageOf(end, {
      ...{ requestId: command.requestId, route, asked, others, durationMs, losses, countInput },
      ...{ tokensPerSecond: rates.tokensPerSecond, maxOutputTokens: outputBoundOf(route, command) },
      ...unheard,
      ...(onUnpriced === undefined ? {} : { onUnpriced }),
    })
  }

  return {
    measure(end, call) {
      const onUnpriced = (what: readonly string[]) =>
        log.warn('usage.unpriced', { provider: call.route.provider.name, reason: what.join(', ') })
      const others = othersOf(end, call)
      return others instanceof Promise
        ? others.then((read) => usage(end, call, read, onUnpriced))
        : usage(end, call, others, onUnpriced)
    },
    costOf(end, call) {
      const others = othersOf(end, call)
      if (others instanceof Promise || (!end.isReadToEnd && end.hidden !== undefined)) return undefined
      return usage(end, { ...call, durationMs: 0 }, others).costMicros
    },
  }
}
