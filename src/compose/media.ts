import { join } from 'node:path'
import { createFolderStore } from '../adapters/media/folder-store.ts'
import { createS3Store } from '../adapters/media/s3-store.ts'
import { createStage } from '../adapters/media/stage.ts'
import type { GetAsset } from '../app/assets/get-asset.ts'
import { COPY_WORDS, createCourier } from '../app/callbacks/courier.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import { type CopyTools, copyClip } from '../app/media/copy-clip.ts'
import { keepMedia } from '../app/media/keep-media.ts'
import { type OwnLinks, ownLinks } from '../app/media/own-links.ts'
import type { SyncTask } from '../app/video/sync-task.ts'
import { VERSION } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { LONG_DELAY_MS_MAX } from '../domain/callbacks/callback-retry.ts'
import type { DueClip } from '../ports/clips.ts'
import type { OpenMedia } from '../ports/media.ts'
import type { MediaStage, MediaStore } from '../ports/media-store.ts'
import type { Store } from '../ports/store.ts'
import { startWorker } from '../workers/schedule.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

/** Maximum number of simultaneous copies, in all and per organization. A copy takes long. */
const SLOTS = 4
const SLOTS_EACH = 2
/** Longer than the three transfers of a copy together. After a crash, the next attempt waits until the lease ends. */
const LEASE_MS = 35 * 60_000

const S3_CONNECTIONS = 256
const S3_QUEUE_MAX = 1_000
const S3_QUEUE_WAIT_MS = 5_000
const S3_CONNECT_MS = 5_000

/** Store of the copies, with the links that clients get for them. */
export interface Kept {
  stage: MediaStage
  media: MediaStore
  links: OwnLinks
  newClipId(): string
  openMedia: OpenMedia
  /** Name under which clients reach the gateway. */
  host(): string
}

/** Returns undefined when `MEDIA_STORE` is off. */
export async function composeKept(input: {
  config: Config
  tools: Tools
  store: Pick<Store, 'clips'>
  publicBaseUrl(): string
  openMedia: OpenMedia
}): Promise<Kept | undefined> {
  const { config, tools, store, publicBaseUrl, openMedia } = input
  requireValidNow(config, tools.clock.nowMs())
  const opened = await openMediaStore(config, tools)
  const links = ownLinks({ ...tools, ...store, publicBaseUrl })
  return (
    opened && {
      ...{ ...opened, openMedia, links },
      newClipId: () => tools.newId('clip'),
      host: () => new URL(publicBaseUrl()).host,
    }
  )
}

export async function openMediaStore(
  config: Config,
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>,
): Promise<{ media: MediaStore; stage: MediaStage } | undefined> {
  const { store, s3 } = config.media
  if (store === 'off') return undefined
  const { nowMs } = tools.clock
  const root = join(config.engines.dataDir, 'media')
  const stage = createStage(join(root, 'incoming'), nowMs)
  if (store === 'folder') return { stage, media: createFolderStore(join(root, 'kept')) }
  const { openGuarded } = await composeOutside(config, tools)
  const client = openGuarded({
    connections: S3_CONNECTIONS,
    queueLimit: S3_QUEUE_MAX,
    queueWaitMs: S3_QUEUE_WAIT_MS,
    connectTimeoutMs: S3_CONNECT_MS,
    trustOf: (origin) => (origin === new URL(s3.endpoint).origin ? 'any' : undefined),
  })
  const secretKey = s3.secretKey?.reveal() ?? ''
  return { stage, media: createS3Store({ ...s3, secretKey }, { client, nowMs }) }
}

function marksFrom({ config, kept }: { config: Config; kept: Kept }): CopyTools['marksOf'] {
  const { hasAigc, aigcProducer, signer } = config.media.marks
  // No model made the files of assets.
  return ({ taskId, model, kind }) => ({
    aigc:
      hasAigc && kind !== 'asset'
        ? { Label: '1', ContentProducer: aigcProducer ?? kept.host(), ProduceID: taskId }
        : undefined,
    c2pa:
      kind === 'asset'
        ? undefined
        : signer && {
            ...{ certificates: signer.certificates, key: signer.key.reveal() },
            ...{ generator: { name: 'Sluice', version: VERSION }, model },
          },
  })
}

/** Throws unless the certificate is valid now: a manifest that is signed at another time is invalid. */
function requireValidNow({ media: { marks } }: Config, nowMs: number): void {
  const { signer } = marks
  if (signer === undefined || (signer.fromMs <= nowMs && nowMs < signer.untilMs)) return
  throw new ConfigError([
    {
      setting: 'C2PA_CERT_FILE',
      wrong: `it is valid from ${new Date(signer.fromMs).toISOString()} to ${new Date(signer.untilMs).toISOString()}`,
      fix: 'Renew the certificate, or leave c2pa out of MARK_CLIPS.',
    },
  ])
}

/** Starts the loops that make due copies and remove copies at the end of their retention. */
export function startCopies(input: {
  config: Config
  tools: Tools
  store: Store
  kept: Kept
  sync: SyncTask
  getAsset: GetAsset
}): { stop(): Promise<void> } {
  const { config, tools, store, kept, sync, getAsset } = input
  const { log } = tools
  const copier = createCourier<DueClip>({
    ...tools,
    callbacks: store.clips,
    deliver: copyClip({
      ...tools,
      ...store,
      ...kept,
      ...{ sync, getAsset },
      marksOf: marksFrom({ config, kept }),
      bounds: config.media,
    }),
    slots: SLOTS,
    slotsEach: SLOTS_EACH,
    leaseMs: LEASE_MS,
    pauseMsMax: LONG_DELAY_MS_MAX,
    words: COPY_WORDS,
  })
  const loops = [
    startWorker('clip-copier', { run: copier.pass, log }),
    startWorker('media-keeper', { run: keepMedia({ ...tools, ...store, ...kept }), log }),
  ]
  return { stop: () => closeInTime([copier, ...loops].map((part) => part.stop())) }
}
