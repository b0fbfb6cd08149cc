import { readDiskSpace } from '../adapters/system/disk-space.ts'
import { createCourier } from '../app/callbacks/courier.ts'
import { deliverEvent, type OperatorReceiver } from '../app/events/deliver-event.ts'
import { REFUSED_MAX, type RefusedOrganizations, watchEvents } from '../app/events/watch-events.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import { createWriteRetries } from '../app/waiting/retry-write.ts'
import { LONG_DELAY_MS_MAX } from '../domain/callbacks/callback-retry.ts'
import type { SendCallback } from '../ports/callbacks.ts'
import type { Installation } from '../ports/installation.ts'
import type { FinishedRequest } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { startWorker } from '../workers/schedule.ts'
import type { Config } from './config.ts'
import type { Limits } from './limits.ts'
import type { Tools } from './tools.ts'

export interface EventParts {
  /** Notes a request that was refused because of its organization's balance. */
  inspectRequest(finished: FinishedRequest): void
  close(): Promise<void>
}

/** Composes the search for causes of events, and their delivery to operators and organizations. */
export function composeEvents(input: {
  config: Config
  tools: Tools
  store: Store
  limits: Limits
  send: SendCallback
  installation: Pick<Installation, 'listHealth'>
  /** Left out: reads the real disk. */
  diskSpaceOf?: typeof readDiskSpace
}): EventParts {
  const { config, tools, store, send, installation, diskSpaceOf = readDiskSpace } = input
  const { calendar } = input.limits
  const { log } = tools
  const retries = createWriteRetries(tools)
  const refused: RefusedOrganizations = new Set()
  // Events get few slots, so that callbacks find free connections.
  const courier = createCourier({
    ...tools,
    callbacks: store.events,
    slots: 8,
    slotsEach: 2,
    pauseMsMax: LONG_DELAY_MS_MAX,
    deliver: deliverEvent({
      ...tools,
      ...store,
      retries,
      send,
      operatorReceiver: operatorReceiverOf(config),
    }),
  })
  const watch = watchEvents({
    ...tools,
    events: store.events,
    calendar,
    refused,
    listHealth: installation.listHealth,
    readDiskSpace:
      config.engines.databaseUrl === undefined ? () => diskSpaceOf(config.engines.dataDir) : undefined,
  })
  const loops = [
    startWorker('event-courier', { run: courier.pass, log }),
    startWorker('event-watch', { run: watch, log }),
  ]
  return {
    inspectRequest({ code, organizationId }) {
      if (code !== 'insufficient_balance' || organizationId === undefined) return
      if (refused.size < REFUSED_MAX) refused.add(organizationId)
    },
    close: () => closeInTime([retries.close(), ...[courier, ...loops].map((part) => part.stop())]),
  }
}

export function operatorReceiverOf({ events: { url, secret } }: Config): OperatorReceiver | undefined {
  return url === undefined || secret === undefined
    ? undefined
    : { url: url.reveal(), secret: secret.reveal() }
}
