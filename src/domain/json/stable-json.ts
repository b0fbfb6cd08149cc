/** The same text for the same JSON value: neither blanks nor the order of members make another one of it. Numbers that kept their spelling are written by it. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, sortMembers)
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || JSON.isRawJSON(value))
    return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
