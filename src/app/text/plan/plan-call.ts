import { ApiError } from '../../../domain/api-error.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { VendorIds } from '../route/vendor-ids.ts'
import { isHeavy, type TextCommand } from '../text-command.ts'
import { type ConversionTools, makeConversion, planConversion } from './plan-conversion.ts'
import { makePassthrough, planPassthrough } from './plan-passthrough.ts'
import type { LaterPlan, TextPlan } from './text-plan.ts'

/** Throws an `ApiError` for what this model's vendor cannot be asked. */
export type PlanCall = (command: TextCommand, route: TextRoute) => TextPlan | LaterPlan

/** Where client and vendor use the same dialect, the bytes pass; every other request is converted. */
export function planCall(tools: ConversionTools & { vendorIds: Pick<VendorIds, 'keep'> }): PlanCall {
  return (command, route) => {
    const isNative = route.upstream.dialect === command.endpoint
    if (command.operation === 'compact' && !(isNative && route.upstream.compacts === true))
      throw new ApiError('unsupported_combination', {
        param: 'model',
        message: "This model's provider cannot compact a conversation.",
      })
    if (!isHeavy(command))
      return isNative ? planPassthrough(command, route, tools) : planConversion(command, route, tools)
    return {
      reserveInput: () => command.body.facts.inputCount,
      make: () => (isNative ? makePassthrough(command, route, tools) : makeConversion(command, route, tools)),
    }
  }
}
