import { openOperation } from '../../operation.ts'

export const metrics = openOperation('metrics', 'GET /metrics', {
  essential: true,
  summary: 'Figures for Prometheus',
  replies: { 200: { description: 'The Prometheus text format.', contentType: 'text/plain' } },
  handle({ metrics }) {
    const scrape = shareScrapes(() => metrics.render())
    return async (_request, reply) => {
      const { contentType, body } = await scrape()
      return reply.type(contentType).send(body)
    }
  },
})

/** Pause between two scrapes, because one takes milliseconds of the main thread. */
const PAUSE_MS = 250

/** Limits scrapes to a few per second. A response is never older than its request. */
export function shareScrapes<Scrape>(
  scrape: () => Promise<Scrape>,
  pause: () => Promise<unknown> = rest,
): () => Promise<Scrape> {
  let resting: Promise<unknown> | undefined
  let coming: Promise<Scrape> | undefined

  function begin(): Promise<Scrape> {
    coming = undefined
    resting = pause().then(() => {
      resting = undefined
    })
    return scrape()
  }

  return () => {
    if (resting === undefined) return begin()
    coming ??= resting.then(begin)
    return coming
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS).unref()
  })
}
