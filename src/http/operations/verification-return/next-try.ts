/** Address that a page loads by itself, and the wait before. */
export interface NextTry {
  url: string
  afterSeconds: number
}

/** Waits before the retries of the page; after the last one the person has to press the button. */
const WAITS_SECONDS = [5, 5, 10, 20, 30, 60]

const NAME = 'try='

/** Number of earlier attempts of the page at this address. */
export function triesOf(address: string): number {
  const value = queryOf(address).find((pair) => pair.startsWith(NAME))
  const tries = Number(value?.slice(NAME.length))
  return Number.isSafeInteger(tries) && tries > 0 ? tries : 0
}

/** Returns the next attempt, with the vendor's parameters unchanged; undefined after the last attempt. */
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
