/** Serializes equal JSON values to equal texts: neither blanks nor the order of members matter. Numbers that kept their spelling keep it. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, sortMembers)
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.isRawJSON(value))
    return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
