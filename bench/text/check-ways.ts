import type { Way } from './stage.ts'

/** Sends one request over every way: a benchmark of failed answers would look fast. */
export async function checkWays(ways: readonly Way[]): Promise<void> {
  for (const { name, url, headers, request } of ways) {
    const answer = await fetch(url + request.path, { method: 'POST', headers, body: request.body })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${body.slice(0, 300)}`)
    if (!ENDS.some((word) => body.includes(word)) || !body.includes('Water rises')) {
      throw new Error(`${name} did not finish its reply: ${body.slice(-300)}`)
    }
  }
}

/** Ends of a good reply in each dialect, whole or streamed. */
const ENDS = ['"end_turn"', '"status":"completed"', '"finish_reason":"stop"']
