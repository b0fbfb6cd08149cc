import { Refusal } from '../refusal.ts'

/** A fallback that nobody knows would be passed over in silence, at the very moment it is needed. */
export function unknownFallback(
  { name, fallbacks = [] }: { name: string; fallbacks?: readonly string[] | undefined },
  isKnown: (name: string) => boolean,
): Refusal | undefined {
  const unknown = fallbacks.find((fallback) => !isKnown(fallback))
  if (unknown === undefined) return undefined
  return new Refusal('invalid_parameter', {
    message: `The fallback ${unknown} of ${name} is not a model of the catalog. Correct it, or list that model too.`,
    param: 'fallbacks',
  })
}
