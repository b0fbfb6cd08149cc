import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const BIN = new URL('../../../bin/', import.meta.url)

/** Makes the bundle once for the whole run: hundreds of processes start from it, at half the cost of the sources. */
export default async function setUp(): Promise<void> {
  const { makeBundle } = await import(new URL('make-bundle.js', BIN).href)
  await makeBundle()
  await promisify(execFile)(process.execPath, [new URL('warm-up.js', BIN).pathname])
}
