import type { TextRoute } from '../route/choose-route.ts'
import type { VendorIds } from '../route/vendor-ids.ts'
import { type HeavyCommand, isHeavy, type LightCommand, type TextCommand } from '../text-command.ts'
import { type ConversionTools, makeConversion, planConversion } from './plan-conversion.ts'
import { makePassthrough, planPassthrough } from './plan-passthrough.ts'
import { makeSummary, planSummary, type SummaryTools } from './plan-summary.ts'
import type { LaterPlan, TextPlan } from './text-plan.ts'

/** Throws an `ApiError` for a request that this model's vendor cannot serve. */
export type PlanCall = (command: TextCommand, route: TextRoute) => TextPlan | LaterPlan

type PlanTools = ConversionTools & SummaryTools & { vendorIds: Pick<VendorIds, 'keep'> }

/** Passes the bytes when client and vendor use the same dialect; every other request is converted. */
export function planCall(tools: PlanTools): PlanCall {
  return (command, route) => {
    const isNative = route.upstream.dialect === command.endpoint
    const isSummed = command.operation === 'compact' && !(isNative && route.upstream.compacts === true)
    const plan = (light: LightCommand) =>
      isNative ? planPassthrough(light, route, tools) : planConversion(light, route, tools)
    if (!isHeavy(command)) return isSummed ? planSummary(command, plan, tools) : plan(command)
    const make = (heavy: HeavyCommand) =>
      isNative ? makePassthrough(heavy, route, tools) : makeConversion(heavy, route, tools)
    return {
      reserveInput: () => command.body.facts.inputCount,
      make: () => (isSummed ? makeSummary(command, make, tools) : make(command)),
    }
  }
}
