import { expect } from 'vitest'
import type { LaterPlan, TextPlan } from '../../src/app/text/contract/text-plan.ts'

/** The plan for a light body; fails the test when it has to be waited for. */
export function planAtOnce(plan: TextPlan | LaterPlan | Promise<TextPlan>): TextPlan {
  if (plan instanceof Promise || 'make' in plan) return expect.fail('a light body is planned at once')
  return plan
}
