/** Whether a person reads the response: browsers name `text/html` first, programs name JSON, any type or nothing. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = weightOf('text/html', accept)
  return html > 0 && html >= weightOf('application/json', accept)
}

/** Number of types that are read: more than any browser sends. */
const TYPES_MAX = 20

/** Returns 0 for a type that is not named: programs often send only `*`. */
function weightOf(type: string, accept = ''): number {
  for (const range of accept.toLowerCase().split(',', TYPES_MAX)) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    return Number.isFinite(weight) ? weight : 0
  }
  return 0
}
