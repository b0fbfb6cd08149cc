import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { writeAdminTypes } from './write-types.ts'

/** Builds the console into `dist`, with a brotli file beside each text file. */
export async function buildConsole({ isTypesOnly = false } = {}): Promise<void> {
  writeAdminTypes()
  if (isTypesOnly) return
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts') })
  for (const path of globSync('dist/**/*.{html,js,css,svg}', { cwd: import.meta.dirname })) {
    const bytes = readFileSync(join(import.meta.dirname, path))
    const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    writeFileSync(join(import.meta.dirname, `${path}.br`), small)
  }
}
