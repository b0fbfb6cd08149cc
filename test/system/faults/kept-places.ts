import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import type { Books } from './video-books.ts'

/** Returns the places in which a word can be read, as text or in a common encoding of bytes. */
export type SearchPlaces = (word: string) => Promise<string[]>

/** The files of the embedded store: the database, and what is written ahead of it. */
export function searchFiles(folder: string): SearchPlaces {
  return async (word) => {
    const spelled = spellings(word)
    return filesIn(folder).filter((file) => {
      const bytes = read(file)
      return spelled.some((spelling) => bytes.includes(spelling))
    })
  }
}

/** Reads the rows of all tables, and the server's files with the write-ahead log if this process may read them. */
export function searchPostgres({ rows }: Books): SearchPlaces {
  return async (word) => {
    const found: string[] = []
    const tables = await rows("select tablename as name from pg_tables where schemaname = 'public'")
    for (const { name } of tables) {
      const all = Buffer.from(JSON.stringify(await rows(`select t::text as row from "${name}" t`)))
      if (spellings(word).some((spelling) => all.includes(spelling))) found.push(String(name))
    }
    const [place] = await rows(
      "select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()",
    )
    const folder = String(place?.folder)
    for (const part of ['pg_wal', join('base', String(place?.oid))])
      found.push(...(await searchFiles(join(folder, part))(word)))
    return found
  }
}

export function searchRedis(url: string): SearchPlaces {
  return async (word) => {
    const client = createClient({ url })
    await client.connect()
    try {
      const found: string[] = []
      const spelled = spellings(word)
      for (const key of await client.keys('*')) {
        const kind = await client.type(key)
        const value =
          kind === 'string'
            ? await client.get(key)
            : kind === 'zset'
              ? (await client.zRange(key, 0, -1)).join('\n')
              : kind === 'hash'
                ? JSON.stringify(await client.hGetAll(key))
                : (await client.dump(key))?.toString()
        const bytes = Buffer.from(`${key}\n${value}`)
        if (spelled.some((spelling) => bytes.includes(spelling))) found.push(key)
      }
      return found
    } finally {
      await client.close()
    }
  }
}

function spellings(word: string): Buffer[] {
  const base64 = [0, 1, 2].map((shift) => {
    const spelled = Buffer.from(' '.repeat(shift) + word).toString('base64')
    // Without the characters that depend on what stands before and behind the word.
    return spelled.slice(shift === 0 ? 0 : 4, -4)
  })
  const hex = Buffer.from(word).toString('hex')
  return [word, hex, ...base64].map((spelling) => Buffer.from(spelling)).concat(Buffer.from(word, 'utf16le'))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  } catch {
    return []
  }
}

/** A server removes files while they are read. */
function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}
