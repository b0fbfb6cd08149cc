/** What a rule has made sure of and the type cannot say. If it is not there, the rule is missing from its list. */
export function assured<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('A video rule let something through that an order needs.')
  return value
}
