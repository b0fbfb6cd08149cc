import type { TextCommand } from '../contract/text-command.ts'
import type { LaterPlan, TextPlan } from '../contract/text-plan.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { VendorIds } from '../vendor-state/vendor-ids.ts'
import { type ConversionTools, planConversion } from './plan-conversion.ts'
import { planPassthrough } from './plan-passthrough.ts'
import { planSummary, type SummaryTools } from './plan-summary.ts'

/** Throws an `ApiError` for a request that this model's vendor cannot serve. */
export type PlanCall = (command: TextCommand, route: TextRoute) => TextPlan | LaterPlan | Promise<TextPlan>

type PlanTools = ConversionTools & SummaryTools & { vendorIds: Pick<VendorIds, 'keep'> }

/** Passes bytes between equal dialects, else converts. A vendor that cannot compact is asked for a summary. */
export function planCall(tools: PlanTools): PlanCall {
  return (command, route) => {
    const isPassthrough = route.upstream.dialect === command.endpoint
    const needsSummary =
      command.operation === 'compact' && !(isPassthrough && route.upstream.compacts === true)
    const plan = (request: TextCommand) =>
      isPassthrough ? planPassthrough(request, route, tools) : planConversion(request, route, tools)
    return command.body.plan(() => (needsSummary ? planSummary(command, plan, tools) : plan(command)))
  }
}
