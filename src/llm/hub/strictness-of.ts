import { fitsStrict } from './fits-strict.ts'
import type { LossName } from './losses.ts'
import type { OutputFormat } from './text-request.ts'

/** Whether a vendor is asked to enforce a shape: as the client said, else wherever the schema bears it. */
export function strictnessOf(
  { schema, strict }: Extract<OutputFormat, { kind: 'json-schema' }>,
  losses: Set<LossName>,
): boolean {
  if (typeof strict === 'boolean') return strict
  const fits = fitsStrict(schema)
  if (strict === 'promised' && !fits) losses.add('strict')
  return fits
}
