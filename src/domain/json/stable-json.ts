/** Serializes equal JSON values to equal texts, in any order of members. Raw numbers keep their spelling. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, sortMembers)
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.isRawJSON(value))
    return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
