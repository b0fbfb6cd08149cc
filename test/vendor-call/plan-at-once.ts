import { expect } from 'vitest'
import type { LaterPlan, TextPlan } from '../../src/app/text/contract/text-plan.ts'

/** Returns the plan for a light body; fails the test if the plan is not ready immediately. */
export function planAtOnce(plan: TextPlan | LaterPlan | Promise<TextPlan>): TextPlan {
  if (plan instanceof Promise || 'make' in plan) return expect.fail('a light body is planned immediately')
  return plan
}
