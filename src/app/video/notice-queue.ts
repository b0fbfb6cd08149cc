import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { digestNoticeToken, holderOfNotice, isNoticeToken } from './notice-token.ts'
import type { NoticeRef, ProcessNotice } from './process-notice.ts'

const PLACES_MAX = 32
const WAITING_MAX = 1_000

export interface NoticeQueue {
  /** Returns at once, whether the notice is genuine or not. */
  take(notice: { token: string | undefined; ticket: string | undefined }): void
  /** Resolves when nothing waits and nothing runs. */
  settled(): Promise<void>
  /** Nothing begins any more and no vendor is waited for; resolves when the store has the rest. */
  stop(): Promise<void>
}

export type TakeNotice = NoticeQueue['take']

/**
 * Notices are followed up behind the answer, a bounded number at once and one at a time for each task. What came while
 * a task was being read makes one more reading, since it may tell of something newer. What finds no room is dropped:
 * the sweep sees it anyway. Places and room are shared: a free place goes to the organization with the fewest readings,
 * and however many notices one of them causes, some room is left for those of the others.
 */
export function createNoticeQueue({
  processNotice,
  secrets,
  log,
  placesMax = PLACES_MAX,
  waitingMax = WAITING_MAX,
}: {
  processNotice: ProcessNotice
  secrets: Secrets
  log: Log
  placesMax?: number
  waitingMax?: number
}): NoticeQueue {
  const placesEachMax = allButAnEighth(placesMax)
  const waitingEachMax = allButAnEighth(waitingMax)
  const shares = new Map<string, Share>()
  const running = new Map<string, Promise<void>>()
  const leaving = new AbortController()
  let waitingCount = 0

  return {
    take({ token, ticket }) {
      // What was never a token takes no place and costs no query.
      if (leaving.signal.aborted || token === undefined || !isNoticeToken(token, secrets)) return
      wait(holderOfNotice(token, secrets), { tokenDigest: digestNoticeToken(token, secrets), ticket })
      fillPlaces()
    },
    async settled() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      leaving.abort()
      shares.clear()
      await Promise.all(running.values())
    },
  }

  function wait(holder: string, { tokenDigest, ticket }: NoticeRef): void {
    const share = shares.get(holder) ?? { holder, waiting: new Map(), running: 0 }
    const known = share.waiting.get(tokenDigest)
    if (known === undefined) {
      if (waitingCount >= waitingMax || share.waiting.size >= waitingEachMax) return
      waitingCount += 1
    }
    share.waiting.set(tokenDigest, { tokenDigest, ticket: ticket ?? known?.ticket })
    shares.set(holder, share)
  }

  function fillPlaces(): void {
    while (running.size < placesMax) {
      const next = takeNext()
      if (next === undefined) return
      const { share, notice } = next
      share.running += 1
      const following = followUp(notice).then(() => {
        running.delete(notice.tokenDigest)
        share.running -= 1
        if (share.running + share.waiting.size === 0) shares.delete(share.holder)
        fillPlaces()
      })
      running.set(notice.tokenDigest, following)
    }
  }

  /** The oldest that can begin, of the organization with the fewest readings. */
  function takeNext(): { share: Share; notice: NoticeRef } | undefined {
    let chosen: { share: Share; notice: NoticeRef } | undefined
    for (const share of shares.values()) {
      if (share.running >= (chosen?.share.running ?? placesEachMax)) continue
      const notice = share.waiting.values().find(({ tokenDigest }) => !running.has(tokenDigest))
      if (notice !== undefined) chosen = { share, notice }
    }
    if (chosen === undefined) return undefined
    chosen.share.waiting.delete(chosen.notice.tokenDigest)
    waitingCount -= 1
    return chosen
  }

  async function followUp(notice: NoticeRef): Promise<void> {
    try {
      await processNotice(notice, leaving.signal)
    } catch (error) {
      log.warn('notice.failed', { error })
    }
  }
}

/** The notices of one organization, as far as they wait or are followed up. */
interface Share {
  holder: string
  waiting: Map<string, NoticeRef>
  running: number
}

function allButAnEighth(count: number): number {
  return count - Math.floor(count / 8)
}
