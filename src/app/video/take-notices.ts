import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { digestNoticeToken, holderOfNotice, isNoticeToken } from './notice-token.ts'
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
 * the sweep sees it anyway. Places and room are shared: a free place goes to the organization with the fewest readings,
 * and however many notices one of them causes, some room is left for those of the others.
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

  function wait(holder: string, { tokenDigest, ticket }: NoticeHint): void {
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
      const { share, hint } = next
      share.running += 1
      const following = followUp(hint).then(() => {
        running.delete(hint.tokenDigest)
        share.running -= 1
        if (share.running + share.waiting.size === 0) shares.delete(share.holder)
        fillPlaces()
      })
      running.set(hint.tokenDigest, following)
    }
  }

  /** The oldest that can begin, of the organization with the fewest readings. */
  function takeNext(): { share: Share; hint: NoticeHint } | undefined {
    let chosen: { share: Share; hint: NoticeHint } | undefined
    for (const share of shares.values()) {
      if (share.running >= (chosen?.share.running ?? placesEachMax)) continue
      const hint = share.waiting.values().find(({ tokenDigest }) => !running.has(tokenDigest))
      if (hint !== undefined) chosen = { share, hint }
    }
    if (chosen === undefined) return undefined
    chosen.share.waiting.delete(chosen.hint.tokenDigest)
    waitingCount -= 1
    return chosen
  }

  async function followUp(hint: NoticeHint): Promise<void> {
    try {
      await readBack(hint, leaving.signal)
    } catch (error) {
      log.warn('a notice could not be followed up', { error })
    }
  }
}

/** The notices of one organization, as far as they wait or are followed up. */
interface Share {
  holder: string
  waiting: Map<string, NoticeHint>
  running: number
}

function allButAnEighth(count: number): number {
  return count - Math.floor(count / 8)
}
