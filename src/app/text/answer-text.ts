import type { ApiError } from '../../domain/api-error.ts'
import { micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { TextPrices } from '../../domain/billing/text-prices.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { BeginSpend, RequestUsage, Spend } from '../billing/spend.ts'
import type { Runtime } from '../runtime.ts'
import { reportStreamCost, reportWholeCost } from './call/report-cost.ts'
import { createTextMeter } from './call/text-meter.ts'
import { errorContextOf } from './call/text-vendor-error.ts'
import { type AskedModel, usageOfRefused } from './call/usage-of.ts'
import { VendorCall } from './call/vendor-call.ts'
import type { ServedEnd, VendorCallEnd } from './call/vendor-call-end.ts'
import { type ReplySink, SERVED_BY_HEADER } from './contract/reply-sink.ts'
import type { AnswerText, TextCommand } from './contract/text-command.ts'
import { nameLosses, type TextPlan } from './contract/text-plan.ts'
import {
  createPreparation,
  isReady,
  type PreparationTools,
  type Prepared,
  type TextAttempt,
} from './plan/prepare-attempt.ts'
import type { LiveReplies } from './relay/live-replies.ts'
import { rowOf, type TextRoute } from './route/choose-route.ts'
import type { ModelRates } from './route/model-rates.ts'
import { otherPrices } from './route/other-prices.ts'
import { reserveOf } from './route/request-bounds.ts'
import { requireModel } from './route/require-model.ts'

export interface AnswerTextParts extends PreparationTools, Pick<Runtime, 'clock' | 'log'> {
  beginSpend: BeginSpend
  live: LiveReplies
  rates: ModelRates
  hangUpListenMs: number
  holdBackMs: number
  metrics: Metrics
}

interface AttemptResult {
  attempt: TextAttempt
  end: VendorCallEnd
  refused: ApiError | undefined
}

/** Serves one text request: chooses a vendor, converts the request, reserves money, relays the reply and charges for it. */
export function answerText(parts: AnswerTextParts): AnswerText {
  const { prices, beginSpend, clock, metrics, rates } = parts
  const meter = createTextMeter(parts)
  const { prepare, prepareOther, findRoute, makeReady } = createPreparation(parts)

  return async (command, sink) => {
    const beganMs = clock.monotonicMs()
    const found = prices.findModel(String(command.body.value.model), command.caller.organizationId)
    const model = found instanceof Promise ? await found : found
    const name = requireModel(command, model)
    const preparing = prepare(model, name, command)
    const prepared = preparing instanceof Promise ? await preparing : preparing
    // The vendor may let another of its models take part, at that model's own price.
    const others = command.body.namesOtherModels()
      ? otherPrices(await prices.listModels(command.caller.organizationId), prepared.route).dearest
      : undefined
    const reserve = reserveOf(prepared, command, others)
    const hasOthers = model !== undefined && (model.fallbacks ?? model.route) !== undefined
    const spending = beginSpend(
      command.caller,
      hasOthers ? await coverOthers(reserve, prepared, model, command, others) : reserve,
    )
    const spend = spending instanceof Promise ? await spending : spending
    try {
      const attempt = isReady(prepared) ? prepared : await makeReady(prepared, command)
      if (sink.accepted !== undefined) await sink.accepted()
      const firstEnd = await send(attempt, command, sink)
      const first = { attempt, end: firstEnd, refused: errorIn(firstEnd) }
      const { end, refused, ...last } =
        first.refused === undefined ? first : await askOthers(first, model, command, sink)
      const durationMs = clock.monotonicMs() - beganMs
      const isFallback = rowOf(last.attempt.route) !== rowOf(attempt.route)
      const askedModel = isFallback ? askedOf(attempt, model) : undefined
      const asked = { asked: askedModel, refused, spend, durationMs, command, sink }
      const settlement = settle(end, { ...last.attempt, ...asked })
      if (settlement !== undefined) await settlement
      if (refused === undefined) return
      const { name, provider } = last.attempt.route
      const failed = { model: name, provider: provider.name, code: refused.code }
      if (end.kind === 'refused') metrics.textRefused({ ...failed, operation: command.endpoint, durationMs })
      else metrics.textReplyUnusable(failed)
      throw refused
    } catch (fault) {
      // After a settlement `abandon` does nothing.
      await spend.abandon()
      throw fault
    }
  }

  /**
   * While vendors fail, tries the other targets of the model's route, then one fallback after the other, each with its
   * own route. When none serves, the client gets the first error, and the usage row names the last vendor reached.
   */
  async function askOthers(
    first: AttemptResult,
    model: Pick<PricedModel, 'fallbacks' | 'fallbackPrice'> | undefined,
    command: TextCommand,
    sink: ReplySink,
  ): Promise<AttemptResult> {
    let { end } = first
    let reached = { attempt: first.attempt, end }
    const { route } = first.attempt
    const name = rowOf(route)
    for (const row of [name, ...(model?.fallbacks ?? [])]) {
      const asked = row === name ? undefined : askedOf(first.attempt, model)
      let triedTargets = row === name ? route.triedTargets : 0
      while (triedTargets !== undefined && end.kind === 'refused' && end.refused.isVendorFault) {
        const attempt = await prepareOther(row, command, triedTargets)
        if (attempt === undefined) break
        triedTargets = attempt.route.triedTargets
        end = await send(attempt, command, sink, asked)
        if (end.kind === 'served' || end.reached) reached = { attempt, end }
      }
    }
    return { ...reached, refused: end.kind === 'served' ? errorIn(end) : first.refused }
  }

  /** Raises the maximum cost to that of every target and fallback that may serve, whose replies may be longer. */
  async function coverOthers(
    reserve: TextReserve,
    { route, plan }: Prepared,
    { fallbacks = [], fallbackPrice = 'lower' }: PricedModel,
    command: TextCommand,
    others?: TextPrices,
  ): Promise<TextReserve> {
    const possible = [reserve.possibleMicros]
    const addCost = (other: TextRoute) => {
      const isPassed = other.upstream.dialect === command.endpoint
      const sent = isPassed ? { sentInputBound: () => command.body.inputBound() } : plan
      const costAt = ({ prices }: TextRoute) =>
        reserveOf({ route: { ...other, prices }, plan: sent }, command, others).possibleMicros
      const rows = { lower: [route, other], asked: [route], served: [other] }[fallbackPrice]
      possible.push(micros(Math.min(...rows.map(costAt))))
    }
    for (const name of [rowOf(route), ...fallbacks]) {
      let triedTargets = name === rowOf(route) ? route.triedTargets : 0
      while (triedTargets !== undefined) {
        const other = await findRoute(name, command, triedTargets)
        if (other !== undefined) addCost(other)
        triedTargets = other?.triedTargets
      }
    }
    return { ...reserve, possibleMicros: micros(Math.max(...possible)) }
  }

  function send(
    { route, plan }: TextAttempt,
    command: TextCommand,
    sink: ReplySink,
    asked?: AskedModel,
  ): Promise<VendorCallEnd> {
    command.body.release()
    const wantsStream = command.body.value.stream === true
    const headers = headersOf(route, plan, wantsStream)
    const chargeOf = (end: ServedEnd) => meter.chargeOf(end, { route, plan, asked, command })
    const vendorCall = new VendorCall(parts, {
      sink,
      caller: command.caller,
      headers,
      errorContext: errorContextOf(route, command),
      hidesInput: () => plan.sentInputBound().isHidden,
      answer: wantsStream
        ? { kind: 'stream', relay: reportStreamCost(plan.openRelay(), command, chargeOf) }
        : {
            kind: 'whole',
            read: (body) => reportWholeCost(plan.readWhole(body), headers, chargeOf),
            readScanned: plan.readScanned,
            openRelay: plan.openWholeRelay,
          },
    })
    const { dialect, upstream: model } = route.upstream
    const { body, version, betas } = plan
    const { organizationId } = command.caller
    const operation = plan.operation ?? 'create'
    const call = { organizationId, model, dialect, operation, body, version, betas } as const
    vendorCall.begin(() => route.provider.send(call, vendorCall))
    return route.triedTargets === undefined
      ? vendorCall.ended
      : vendorCall.ended.then((end) => timed(end, route, wantsStream))
  }

  /** Records how soon a reply began, by which the targets of a route are compared. */
  function timed(end: VendorCallEnd, { name }: TextRoute, isStream: boolean): VendorCallEnd {
    if (end.kind === 'refused' && end.refused.isVendorFault) rates.noteFailure(name, isStream)
    if (end.kind === 'served' && end.firstByteMs !== undefined)
      rates.noteFirstByte(name, isStream, end.firstByteMs)
    return end
  }

  function settle(end: VendorCallEnd, settlement: TextSettlement): Promise<void> | undefined {
    if (end.kind === 'refused') return settleRefused(end, settlement)
    const measured = meter.measure(end, settlement)
    if (!(measured instanceof Promise)) return finish(end, settlement, measured)
    return measured.then((usage) => finish(end, settlement, usage))
  }

  function finish(
    end: ServedEnd,
    settlement: TextSettlement,
    usage: RequestUsage,
  ): Promise<void> | undefined {
    const { spend, command, sink } = settlement
    if (sink.charging === undefined) {
      spend.finish(usage, command.claim)
      return report(end, settlement, usage)
    }
    const row = spend.awaitRow()
    const charge = () => {
      spend.finish(usage, command.claim, row)
      return report(end, settlement, usage)
    }
    return sink.charging(row).then(charge, async (fault) => {
      await charge()
      throw fault
    })
  }

  function report(end: ServedEnd, settlement: TextSettlement, usage: RequestUsage): undefined {
    const { route, asked, durationMs, command, sink } = settlement
    const { tokens } = end
    metrics.textReplyEnded(command.caller.keyId, usage)
    sink.settled?.(usage)
    if (end.isReadToEnd && tokens !== undefined)
      rates.note(route.name, {
        outputTokens: Math.min(tokens.output, usage.outputTokens),
        reasoningTokens: tokens.reasoning,
        durationMs,
      })
    if (route.routedFrom !== undefined) metrics.routeServed({ asked: route.routedFrom, served: route.name })
    if (asked !== undefined) metrics.fallbackServed({ asked: rowOf(asked.route), served: route.name })
  }
}

function askedOf({ route }: TextAttempt, model: Pick<PricedModel, 'fallbackPrice'> | undefined): AskedModel {
  return { route, fallbackPrice: model?.fallbackPrice }
}

export function errorIn(end: VendorCallEnd): ApiError | undefined {
  return end.kind === 'refused' ? end.refused.apiError : end.unusable
}

interface TextSettlement extends TextAttempt {
  asked: AskedModel | undefined
  refused: ApiError | undefined
  spend: Spend
  durationMs: number
  command: TextCommand
  sink: ReplySink
}

/** A refused request finishes no claim, so its Idempotency-Key may be used again. */
function settleRefused(
  { reached, refused }: Extract<VendorCallEnd, { kind: 'refused' }>,
  { spend, plan, route, asked, refused: shown, durationMs, command, sink }: TextSettlement,
): Promise<void> | undefined {
  if (!reached) return spend.abandon()
  const { requestId, endpoint: operation } = command
  const measured = { requestId, operation, route, asked, durationMs, losses: plan.losses }
  spend.finish(usageOfRefused(measured, shown ?? refused.apiError))
  sink.recorded?.()
  return undefined
}

function headersOf({ name }: TextRoute, { losses }: TextPlan, wantsStream: boolean): Record<string, string> {
  const headers: Record<string, string> = wantsStream
    ? {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        [SERVED_BY_HEADER]: name,
      }
    : { 'content-type': 'application/json; charset=utf-8', [SERVED_BY_HEADER]: name }
  return nameLosses(headers, losses)
}
