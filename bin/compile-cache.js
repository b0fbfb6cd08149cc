import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Keeps the sources without their types beside the dependencies, so that a start neither strips nor compiles them again. */
export function useCompileCache() {
  enableCompileCache(
    process.env.NODE_COMPILE_CACHE ??
      fileURLToPath(new URL('../node_modules/.cache/sluice', import.meta.url)),
  )
}
