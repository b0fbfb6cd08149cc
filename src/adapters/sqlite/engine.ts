import { sql } from 'kysely'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Engine } from '../sql/engine.ts'
import { openForReading } from './connection.ts'
import { queryBuilder } from './query-builder.ts'
import { openReader } from './reader.ts'
import { presentFailure } from './sent-error.ts'
import { openWriter } from './writer.ts'

/**
 * Creates an engine: short reads run on this thread with a read-only connection, writes on the writer's
 * thread, and statements that read many rows on the reader's thread.
 */
export function sqliteEngine(tools: { path: string; log: Log; metrics: Metrics | undefined }): Engine {
  const { path, log, metrics } = tools
  const reading = openForReading(path)
  const db = queryBuilder(reading)
  const writer = openWriter({ path, log })
  const reader = openReader({ path, log })
  metrics?.watchPool('sqlite-writer', () => {
    const pending = writer.pendingCount()
    return { busy: Math.min(pending, 1), idle: pending === 0 ? 1 : 0, waiting: Math.max(pending - 1, 0) }
  })
  return {
    read: ({ run }, args) => run(db, ...args).catch(rethrow),
    write: writer.write,
    single: writer.write,
    readLong: reader.read,
    report: reader.read,
    ping: async () => {
      await sql`select 1 from sluice_migrations limit 1`.execute(db).catch(rethrow)
      await writer.ping()
    },
    close: async () => {
      // The writer closes last, because the last connection writes the write-ahead log into the file.
      reading.close()
      await reader.close()
      await writer.close()
    },
  }
}

function rethrow(error: unknown): never {
  throw presentFailure(error)
}
