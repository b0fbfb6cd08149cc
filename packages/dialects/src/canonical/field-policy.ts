import type { JsonObject } from '../json/json-object.ts'
import { invalidParameter } from './bad-parameter.ts'
import type { LossName } from './losses.ts'

/** Treatment of a request field in a conversion to another dialect. */
export type FieldPolicy =
  | { policy: 'carried' }
  | { policy: 'adapted'; how: string }
  | { policy: 'declared'; loss: LossName }
  /** `problem` completes "<field> ...". */
  | { policy: 'refused'; problem: string }

/** A field that is not in a dialect's table is lost and declared as `unknown_field`. */
export type FieldPolicies = Readonly<Record<string, FieldPolicy>>

/** Refuses fields that cannot be converted, and declares losses. Ignores values that ask for nothing. */
export function applyPolicies(
  body: JsonObject,
  { policies, asksForNothing }: { policies: FieldPolicies; asksForNothing(value: unknown): boolean },
  losses: Set<LossName>,
): void {
  for (const name of Object.keys(body)) {
    const field = Object.hasOwn(policies, name) ? policies[name] : undefined
    if (field?.policy === 'carried' || field?.policy === 'adapted' || asksForNothing(body[name])) continue
    if (field?.policy === 'refused') throw invalidParameter(name, field.problem)
    losses.add(field?.loss ?? 'unknown_field')
  }
}
