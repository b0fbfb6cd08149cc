import { sharesOf } from '../../domain/slot-shares.ts'
import { type Job, JobSlots } from '../jobs/job-slots.ts'
import type { Runtime } from '../runtime.ts'
import { readNoticeToken } from './notice-token.ts'
import type { NoticeRef, ProcessNotice } from './process-notice.ts'

const SLOTS = 32
const WAITING_MAX = 1_000

export interface NoticeQueue {
  /** Returns immediately, whether the notice is genuine or not. */
  take(notice: { token: string | undefined; ticket: string | undefined }): void
  idle(): Promise<void>
  /** Begins no further notice and waits for no vendor; resolves when running writes are stored. */
  stop(): Promise<void>
}

export type TakeNotice = NoticeQueue['take']

/**
 * Processes notices after their request was answered, a bounded number at a time and one at a time for each task.
 * Notices that come while a task is being read lead to one more read, since they may report something newer. A full
 * queue drops a notice, because the sweep polls its task anyway. A part of the slots and of the queue is reserved, so
 * that one organization cannot use them all.
 */
export function createNoticeQueue(
  tools: Pick<Runtime, 'log' | 'secrets'> & {
    processNotice: ProcessNotice
    slots?: number
    waitingMax?: number
  },
): NoticeQueue {
  const { processNotice, secrets, log, slots = SLOTS, waitingMax = WAITING_MAX } = tools
  const waiting = sharesOf(waitingMax, 8)
  const jobs = new JobSlots<NoticeJob>({ slots, slotsEach: sharesOf(slots, 8).each, run })
  const leaving = new AbortController()

  return {
    take({ token, ticket }) {
      if (leaving.signal.aborted || token === undefined) return
      const notice = readNoticeToken(token, secrets)
      // A string that was never a token takes no slot and costs no query.
      if (notice === undefined) return
      wait(notice.holder, { tokenDigest: notice.digest, ticket })
      jobs.fill()
    },
    idle: () => jobs.idle(),
    async stop() {
      leaving.abort()
      jobs.takeWaiting()
      await jobs.idle()
    },
  }

  function wait(organizationId: string, { tokenDigest, ticket }: NoticeRef): void {
    const own = jobs.waitingOf(organizationId)
    const known = own?.get(tokenDigest)
    const ownSize = own?.size ?? 0
    const room = ownSize > 0 ? waitingMax - waiting.reserved : waitingMax
    if (known === undefined && (jobs.waiting >= room || ownSize >= waiting.each)) return
    const notice = { tokenDigest, ticket: ticket ?? known?.notice.ticket }
    jobs.add({ key: tokenDigest, organizationId, notice })
  }

  async function run({ notice }: NoticeJob): Promise<void> {
    try {
      await processNotice(notice, leaving.signal)
    } catch (error) {
      log.warn('notice.failed', { error })
    }
  }
}

interface NoticeJob extends Job {
  notice: NoticeRef
}
