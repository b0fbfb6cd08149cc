/** Where a page goes by itself, and how long it waits before. */
export interface NextTry {
  url: string
  afterSeconds: number
}

/** The page's waits before its own tries; after the last one only the person's button tries again. */
const WAITS_SECONDS = [5, 5, 10, 20, 30, 60]

const NAME = 'try='

/** How often the page at this address has tried by itself before. */
export function triesOf(address: string): number {
  const value = queryOf(address).find((pair) => pair.startsWith(NAME))
  const tries = Number(value?.slice(NAME.length))
  return Number.isSafeInteger(tries) && tries > 0 ? tries : 0
}

/** The query with the next number: what the vendor's page sent along is not read and written again. */
export function nextTryOf(address: string): NextTry | undefined {
  const tries = triesOf(address)
  const afterSeconds = WAITS_SECONDS[tries]
  if (afterSeconds === undefined) return undefined
  const others = queryOf(address).filter((pair) => pair !== '' && !pair.startsWith(NAME))
  return { url: `?${[...others, `${NAME}${tries + 1}`].join('&')}`, afterSeconds }
}

function queryOf(address: string): string[] {
  const mark = address.indexOf('?')
  return mark === -1 ? [] : address.slice(mark + 1).split('&')
}
