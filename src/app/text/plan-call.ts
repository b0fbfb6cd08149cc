import type { TextRoute } from './choose-route.ts'
import { type ConversionTools, planConversion } from './plan-conversion.ts'
import { planPassthrough } from './plan-passthrough.ts'
import type { TextCommand } from './text-command.ts'
import type { TextPlan } from './text-plan.ts'
import type { VendorIds } from './vendor-ids.ts'

/** Throws a `Refusal` for what this model's vendor cannot be asked. */
export type PlanCall = (command: TextCommand, route: TextRoute) => TextPlan

/** Where client and vendor speak the same, the bytes pass; everything else goes through the hub. */
export function planCall(tools: ConversionTools & { vendorIds: Pick<VendorIds, 'keep'> }): PlanCall {
  return (command, route) =>
    route.upstream.dialect === command.endpoint
      ? planPassthrough(command, route, tools.vendorIds)
      : planConversion(command, route, tools)
}
