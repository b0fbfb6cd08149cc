import type { AssetSweep } from '../app/assets/sweep-assets.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

export function startAssetSweeper({
  sweep,
  sweepIntervalMs,
  log,
}: {
  sweep: AssetSweep
  sweepIntervalMs: number
  log: Log
}): Loop {
  const loop = startLoop({
    pass: () => sweep.pass(),
    pauseMs: sweepIntervalMs,
    log,
    failure: 'asset.claim_failed',
  })
  return {
    async stop() {
      const loopEnd = loop.stop()
      await sweep.stop()
      await loopEnd
      // A claim that was under way when it stopped.
      await sweep.stop()
    },
  }
}
