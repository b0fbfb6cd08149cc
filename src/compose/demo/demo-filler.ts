import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoFiller } from '../../app/operator.ts'
import type { Config } from '../config.ts'

/** `fill` returns after this time while the work goes on. A store that must not be filled is refused sooner. */
const BEGUN_MS = 5_000

/** Fills the store of a gateway that runs and serves meanwhile. The code for it is loaded on demand. */
export function demoFiller(config: Config): DemoFiller {
  let running: Promise<unknown> | undefined
  return {
    isFilling: () => running !== undefined,
    async fill() {
      running ??= run().finally(() => {
        running = undefined
      })
      await Promise.race([running, sleep(BEGUN_MS, undefined, { ref: false })])
    },
  }

  async function run() {
    const { fillDemo } = await import('./fill-demo.ts')
    return fillDemo(config, { besideCustomers: false })
  }
}
