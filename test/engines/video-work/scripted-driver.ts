import type { Reading, VideoDriver } from '../../../src/ports/video-driver.ts'

export interface ScriptedDriver extends VideoDriver {
  /** Every ticket that was asked for, in order. */
  readonly reads: string[]
  /** Number of running reads. */
  readonly open: number
}

/** Creates a vendor whose answers the test chooses by ticket. */
export function scriptedDriver(answer: (ticket: string) => Reading | Promise<Reading>): ScriptedDriver {
  const reads: string[] = []
  let open = 0
  return {
    reads,
    get open() {
      return open
    },
    create: async () => ({ kind: 'lost', cause: new Error('this vendor only reads') }),
    async read(ticket) {
      reads.push(ticket)
      open += 1
      try {
        return await answer(ticket)
      } finally {
        open -= 1
      }
    },
  }
}

export const said = (
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled',
  more: { seconds?: number; url?: string } = {},
): Reading => ({
  kind: 'snapshot',
  snapshot: {
    status,
    content: status === 'succeeded' ? { video_url: more.url ?? 'https://video.example/1.mp4' } : undefined,
    error: status === 'failed' ? { code: 'generation_failed', message: 'It failed.' } : undefined,
    measured: more.seconds === undefined ? {} : { seconds: more.seconds },
  },
})

export const UNANSWERED: Reading = {
  kind: 'unanswered',
  cause: new Error('silence'),
  retryAfterMs: undefined,
}

export const never = (): Promise<Reading> => new Promise(() => {})
