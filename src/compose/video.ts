import type { App } from '../app/app.ts'
import { createCourier } from '../app/callbacks/courier.ts'
import { deliverCallback } from '../app/callbacks/deliver-callback.ts'
import type { PriceBook } from '../app/catalog/price-book.ts'
import type { By } from '../app/draft-audit.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import type { GatewayOperator } from '../app/operator.ts'
import { appendReceipt } from '../app/receipts/append-receipt.ts'
import { makeOwedReceipts } from '../app/receipts/get-receipts.ts'
import { applySnapshot } from '../app/video/apply-snapshot.ts'
import { cancelTask } from '../app/video/cancel-task.ts'
import { createTask } from '../app/video/create-task.ts'
import { deleteTask } from '../app/video/delete-task.ts'
import { getTask } from '../app/video/get-task.ts'
import { createNoticeQueue } from '../app/video/notice-queue.ts'
import { pollTask } from '../app/video/poll-task.ts'
import { processNotice } from '../app/video/process-notice.ts'
import { quoteTask } from '../app/video/quote-task.ts'
import { sendAttempt } from '../app/video/send-attempt.ts'
import { sweepTasks } from '../app/video/sweep-tasks.ts'
import { syncTask } from '../app/video/sync-task.ts'
import { withdrawRevoked } from '../app/video/withdraw-revoked.ts'
import { createWriteRetries, type WriteRetries } from '../app/waiting/retry-write.ts'
import { POLL_PAUSE_MS_MAX } from '../domain/polling/poll-pace.ts'
import { taskJson } from '../http/operations/get-task/present-task.ts'
import type { AssetResolver } from '../ports/asset-store.ts'
import type { SendCallback } from '../ports/callbacks.ts'
import type { Store } from '../ports/store.ts'
import { startSweeper, startWorker } from '../workers/schedule.ts'
import type { AssetParts } from './assets.ts'
import type { Config } from './config.ts'
import type { Limits } from './limits.ts'
import { type Kept, startCopies } from './media.ts'
import type { Tools } from './tools.ts'
import type { Vendors } from './vendors.ts'

export interface VideoParts {
  useCases: Pick<App, 'createTask' | 'quoteTask' | 'getTask' | 'deleteTask' | 'takeNotice'>
  cancelTaskFor(by: By): GatewayOperator['cancelTask']
  /** Starts sweeps for providers that came since the last call. */
  sweepNew(): void
  close(): Promise<void>
}

/** Composes video tasks from the create call to the callback. */
export function composeVideo(input: {
  config: Config
  tools: Tools
  store: Store
  limits: Limits
  prices: PriceBook
  vendors: Vendors
  assets: Pick<AssetParts, 'resolver' | 'useCases'>
  send: SendCallback
  /** Left out: no files are kept. */
  kept?: Kept | undefined
}): VideoParts {
  const { config, send, assets, ...parts } = input
  const { tools, store, vendors, kept } = parts
  const { log } = tools
  const { sweepIntervalMs, ...drafting } = config.video
  const { noticeBaseUrl, submittingResolveSeconds } = drafting
  const retries = createWriteRetries(tools)
  const sending = { ...tools, ...store, retries, send }
  const courier = createCourier({
    ...tools,
    callbacks: store.callbacks,
    deliver: deliverCallback({ ...sending, presentTask: taskJson, links: kept?.links }),
  })
  const settings = { ...drafting, firstPollAfterMs: sweepIntervalMs }
  const { moving, useCases, cancelTaskFor, sync } = videoUseCases({
    ...parts,
    assets: assets.resolver,
    retries,
    settings,
    onCallbackDue: courier.wake,
  })
  const working = {
    ...moving,
    sweepIntervalMs,
    withdrawRevoked: withdrawRevoked({ ...moving, prices: parts.prices }),
  }
  const notices = createNoticeQueue({ ...tools, processNotice: processNotice(working) })
  const submittingResolveMs = submittingResolveSeconds * 1_000
  const sweeps = new Map<string, { stop(): Promise<void> }[]>()
  function sweepNew(): void {
    for (const provider of vendors.names())
      if (!sweeps.has(provider)) sweeps.set(provider, startSweep(provider))
  }
  function startSweep(provider: string) {
    const sweep = sweepTasks({
      ...working,
      ping: store.ping,
      pauseMsMax: Math.max(POLL_PAUSE_MS_MAX, submittingResolveMs, sweepIntervalMs),
      provider,
      // The provider with this name may change while its tasks are open.
      poll: (task, lease) =>
        pollTask(vendors.find(provider)?.driver, { ...working, submittingResolveMs })(task, lease),
    })
    return [sweep, startSweeper('task-sweeper', { run: sweep.pass, everyMs: sweepIntervalMs, log })]
  }
  sweepNew()
  const makeReceipts = makeOwedReceipts({
    ...{ ...tools, ...store, append: appendReceipt({ ...tools, ...store }) },
    clips: kept && store.clips,
  })
  const loops = [
    startWorker('callback-courier', { run: courier.pass, log }),
    startWorker('receipt-maker', { run: makeReceipts, log }),
    ...(kept === undefined ? [] : [startCopies({ ...parts, ...assets.useCases, config, kept, sync })]),
  ]
  return {
    cancelTaskFor,
    sweepNew,
    useCases: { ...useCases, takeNotice: noticeBaseUrl === undefined ? undefined : notices.take },
    close() {
      const parts = [notices, courier, ...[...sweeps.values()].flat(), ...loops]
      return closeInTime([retries.close(), ...parts.map((part) => part.stop())])
    },
  }
}

export function videoUseCases(input: {
  tools: Tools
  store: Pick<Store, 'tasks'>
  limits: Pick<Limits, 'days' | 'calendar'>
  prices: PriceBook
  vendors: Pick<Vendors, 'find'>
  assets: AssetResolver
  retries: WriteRetries
  settings: Parameters<typeof createTask>[0]['settings']
  onCallbackDue(): void
  /** Left out: no files are kept. */
  kept?: Kept | undefined
  /** Timeout of a Get that polls the vendor. Left out: a default. */
  patienceMs?: number
}) {
  const { tools, prices, vendors, assets, retries, settings, onCallbackDue, kept, patienceMs } = input
  const { days, calendar } = input.limits
  const bare = {
    ...tools,
    tasks: input.store.tasks,
    applyDayMove: days.applyMove,
    onCallbackDue,
    findVendor: vendors.find,
    keepsMedia: kept !== undefined,
  }
  const moving = { ...bare, applySnapshot: applySnapshot(bare) }
  const creating = { ...moving, days, calendar, prices, retries, assets, settings }
  const sync = syncTask({ ...moving, ...(patienceMs !== undefined && { patienceMs }) })
  return {
    sync,
    moving: { ...moving, sendAttempt: sendAttempt(creating) },
    cancelTaskFor: (by: By) => cancelTask({ ...moving, prices, ...by }),
    useCases: {
      createTask: createTask(creating),
      quoteTask: quoteTask(creating),
      getTask: getTask({ ...moving, sync, links: kept?.links }),
      deleteTask: deleteTask({ ...moving, prices }),
    },
  }
}
