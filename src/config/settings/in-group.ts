import type { ConfigFields } from '../read-fields.ts'

export function inGroup<const Group extends string, const Fields extends ConfigFields>(
  group: Group,
  fields: Fields,
) {
  const entries = Object.entries(fields).map(([name, field]) => [name, { group, ...field }])
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Fields[Name] & { group: Group } }
}
