import type { Operation } from '../operation.ts'
import type { VideoDialect } from './dialect.ts'
import { native } from './native/dialect.ts'
import { operationsOf } from './operations-of.ts'
import { videos } from './videos/dialect.ts'
import { getVideoContent, remixVideo } from './videos/more-operations.ts'

/** Formats of clients beside the contract's own operations. A new one is a folder and a row here. */
const VIDEO_DIALECTS: readonly VideoDialect[] = [videos, native]

export const VIDEO_DIALECT_OPERATIONS: readonly Operation[] = [
  ...VIDEO_DIALECTS.flatMap(operationsOf),
  getVideoContent,
  remixVideo,
]
