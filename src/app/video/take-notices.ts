import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { digestNoticeToken, isNoticeToken } from './notice-token.ts'
import type { NoticeHint, ReadBack } from './read-back.ts'

const PLACES_MAX = 32
const WAITING_MAX = 1_000

export interface Notices {
  /** Returns at once, whoever sent it and whatever comes of it. */
  take(notice: { token: string | undefined; ticket: string | undefined }): void
  /** Resolves when nothing waits and nothing is under way. */
  settled(): Promise<void>
  /** Nothing begins any more and no vendor is waited for; resolves when the store has heard of the rest. */
  stop(): Promise<void>
}

export type TakeNotice = Notices['take']

/**
 * Notices are followed up behind the answer, a bounded number at once and one at a time for each task. What came while
 * a task was being read makes one more reading, since it may tell of something newer. What finds no room is dropped:
 * the sweep sees it anyway.
 */
export function takeNotices({
  readBack,
  secrets,
  log,
  placesMax = PLACES_MAX,
  waitingMax = WAITING_MAX,
}: {
  readBack: ReadBack
  secrets: Secrets
  log: Log
  placesMax?: number
  waitingMax?: number
}): Notices {
  const waiting = new Map<string, NoticeHint>()
  const running = new Map<string, Promise<void>>()
  const leaving = new AbortController()

  return {
    take({ token, ticket }) {
      // What was never a token takes no place and costs no query.
      if (leaving.signal.aborted || token === undefined || !isNoticeToken(token, secrets)) return
      const tokenDigest = digestNoticeToken(token, secrets)
      if (!waiting.has(tokenDigest) && waiting.size >= waitingMax) return
      waiting.set(tokenDigest, { tokenDigest, ticket: ticket ?? waiting.get(tokenDigest)?.ticket })
      fillPlaces()
    },
    async settled() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      leaving.abort()
      waiting.clear()
      await Promise.all(running.values())
    },
  }

  function fillPlaces(): void {
    for (const [digest, hint] of waiting) {
      if (running.size >= placesMax) return
      if (running.has(digest)) continue
      waiting.delete(digest)
      const following = followUp(hint).then(() => {
        running.delete(digest)
        fillPlaces()
      })
      running.set(digest, following)
    }
  }

  async function followUp(hint: NoticeHint): Promise<void> {
    try {
      await readBack(hint, leaving.signal)
    } catch (error) {
      log.warn('a notice could not be followed up', { error })
    }
  }
}
