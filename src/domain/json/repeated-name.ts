/** Beyond this a refusal does without the name: it would have to be looked for in megabytes. */
const SEARCHED_LENGTH_MAX = 64 * 1024
const NAME_LENGTH_MAX = 100

/** The first name that stands twice in one object of valid JSON. */
export function findRepeatedName(json: string): string | undefined {
  if (json.length > SEARCHED_LENGTH_MAX) return undefined
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    if (token.length > 1 && isName) {
      const name = String(JSON.parse(token))
      const names = open.at(-1)
      if (names?.has(name) === true) return name.slice(0, NAME_LENGTH_MAX)
      names?.add(name)
    }
    isName = token === '{' || (token === ',' && open.at(-1) !== undefined)
  }
  return undefined
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs
