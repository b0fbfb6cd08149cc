import type { RouteRule } from '../../../domain/catalog/model.ts'
import type { Draw } from '../../../ports/clock.ts'
import type { ProviderOperation, TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { ModelRates } from './model-rates.ts'

export interface TargetModel {
  name: string
  weight: number
  provider: TextProvider
  upstream: TextUpstreamModel
  maxOutputTokens: number | undefined
  contextTokens: number | undefined
  /** Cost of a plain request by the target's own row; infinite if the row has no price. */
  plainCostMicros: number
}

export interface TargetQuestion {
  organizationId: string
  operation: ProviderOperation
  isStream: boolean
  /** Bitmask: bit N is set when target N was asked already. */
  triedTargets: number
}

/** Share of requests that choose a target by chance, although another was faster, so that slow targets are measured again. */
const EXPLORED_SHARE = 0.05

/**
 * Returns the index of the target to ask, -1 when all that the organization may use were tried. Targets with an open
 * breaker or no available key come last, as do targets of weight 0. The path is hot, so nothing is allocated here.
 */
export function chooseTarget(
  targets: readonly TargetModel[],
  by: RouteRule,
  question: TargetQuestion,
  { rates, draw }: { rates: Pick<ModelRates, 'firstByteMs'>; draw: Draw },
): number {
  const open = openTargets(targets, question)
  if (open === 0) return -1
  if (by === 'weight') return byWeight(targets, open, draw)
  if (by === 'price') return byLeast(targets, open)
  return draw() < EXPLORED_SHARE
    ? byWeight(targets, open, draw)
    : byLeast(targets, open, rates, question.isStream)
}

/** Bitmask of the first group that is not empty: ready targets with a weight, ready ones, ones with a weight, all. */
function openTargets(targets: readonly TargetModel[], input: TargetQuestion): number {
  const { organizationId, operation, triedTargets } = input
  let any = 0
  let weighted = 0
  let ready = 0
  for (let at = 0; at < targets.length; at += 1) {
    const target = targets[at]
    const bit = 1 << at
    if (target === undefined || (triedTargets & bit) !== 0) continue
    const { provider, upstream, weight } = target
    const owner = provider.organizationId
    if (owner !== undefined && owner !== organizationId) continue
    any |= bit
    if (weight > 0) weighted |= bit
    if (provider.isReady?.(upstream, operation, organizationId) ?? true) ready |= bit
  }
  return ready & weighted || ready || weighted || any
}

function byWeight(targets: readonly TargetModel[], open: number, draw: Draw): number {
  let sum = 0
  for (let at = 0; at < targets.length; at += 1) if ((open & (1 << at)) !== 0) sum += targets[at]?.weight ?? 0
  let left = draw() * sum
  let last = -1
  for (let at = 0; at < targets.length; at += 1) {
    if ((open & (1 << at)) === 0) continue
    if (last === -1 || sum > 0) last = at
    left -= targets[at]?.weight ?? 0
    if (left < 0) return at
  }
  return last
}

/** Chooses the least time to the first byte, which is 0 without a measurement; without `rates`, the least price. */
function byLeast(
  targets: readonly TargetModel[],
  open: number,
  rates?: Pick<ModelRates, 'firstByteMs'>,
  isStream = false,
): number {
  let least = -1
  let best = Number.POSITIVE_INFINITY
  for (let at = 0; at < targets.length; at += 1) {
    const target = targets[at]
    if (target === undefined || (open & (1 << at)) === 0) continue
    const measured =
      rates === undefined ? target.plainCostMicros : (rates.firstByteMs(target.name, isStream) ?? 0)
    if (least !== -1 && measured >= best) continue
    least = at
    best = measured
  }
  return least
}
