import {
  type Surcharges,
  surchargedRegion,
  surchargedSpeed,
  surchargedTier,
} from '@sluice/dialects/canonical/usage'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { micros } from '../../../domain/billing/micros.ts'
import { contextOf, reserveForText, type TextReserve } from '../../../domain/billing/reserve-for-text.ts'
import type { TextPrices } from '../../../domain/billing/text-prices.ts'
import type { TextBody } from '../contract/text-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextPlan } from '../contract/text-plan.ts'
import type { TextRoute } from './choose-route.ts'

/** Surcharges that the request asked for. They apply when the vendor did not report its own. */
function requestedSurcharges({ value }: TextBody): Surcharges {
  const tier = surchargedTier(value.service_tier)
  const speed = surchargedSpeed(value.speed)
  const region = surchargedRegion(value.inference_geo)
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(speed === undefined ? {} : { speed }),
    ...(region === undefined ? {} : { region }),
  }
}

/** `others`: prices of further models that the vendor may involve. */
export function reserveOf(
  { route, plan }: { route: TextRoute; plan: Pick<TextPlan, 'sentInputBound'> },
  command: Pick<TextCommand, 'endpoint' | 'operation' | 'body'>,
  others?: TextPrices,
): TextReserve {
  const { endpoint, body } = command
  const maxOutputTokens = outputBoundOf(route, command)
  const choices = CLIENT_DIALECTS[endpoint].choicesIn?.(body.value) ?? 1
  const { tokens, tokensMax, refersOutside } = plan.sentInputBound()
  const bounds = { inputTokens: tokens, inputTokensMax: tokensMax, refersOutside, maxOutputTokens, choices }
  const calls = endpoint === route.upstream.dialect ? body.hostedCalls() : undefined
  const requested = { ...requestedSurcharges(body), ...(calls === undefined ? {} : { calls }) }
  const all = { ...bounds, contextTokens: route.contextTokens, requested }
  const reserve = reserveForText(route.prices, all)
  if (others === undefined) return reserve
  const { possibleMicros } = reserveForText(others, { ...all, requested: requestedSurcharges(body) })
  return { ...reserve, possibleMicros: micros(reserve.possibleMicros + possibleMicros) }
}

/** Whether the vendor is asked for a cache with a long lifetime. A conversion never asks for one. */
export function asksForLongCache({ upstream }: TextRoute, command: TextCommand): boolean {
  return upstream.dialect === command.endpoint && command.body.asksForLongCache()
}

/** Only fields that the vendor reads bound the reply; a passthrough renames none. No field bounds a compaction. */
export function outputBoundOf(
  { maxOutputTokens, upstream, provider: { chat } }: TextRoute,
  input: Pick<TextCommand, 'endpoint' | 'operation'> & { body: Pick<TextBody, 'value'> },
): number | undefined {
  const { endpoint, operation, body } = input
  if (operation === 'compact') return maxOutputTokens
  const isOlder = endpoint === upstream.dialect && chat?.outputBound === 'max_tokens'
  const { outputBounds } = CLIENT_DIALECTS[endpoint]
  const names = outputBounds.filter((name) => !isOlder || name !== 'max_completion_tokens')
  const requested = names.map((name) => body.value[name]).filter((bound) => typeof bound === 'number')
  return requested.length === 0 ? maxOutputTokens : Math.max(...requested)
}

/** Usage assumed if the vendor reported none: the requested surcharges, and a full context for input behind references. */
export function unreportedUsage(input: {
  plan: Pick<TextPlan, 'sentInputBound'>
  route: TextRoute
  command: TextCommand
}): { requested: Surcharges; elsewhereTokens: number | undefined } {
  const { plan, route, command } = input
  const { refersOutside } = plan.sentInputBound()
  const elsewhereTokens = refersOutside ? contextOf(route.contextTokens) : undefined
  return { requested: requestedSurcharges(command.body), elsewhereTokens }
}
