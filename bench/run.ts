import { allowances } from './allowances.ts'
import { assetList } from './asset-list.ts'
import { bodyShapes } from './body-shapes.ts'
import { coldStart } from './cold-start.ts'
import { consoleAtSize } from './console-at-size.ts'
import { type Figures, showFigures } from './figures.ts'
import { growth, growthOfMost } from './growth.ts'
import { holdAndSettle } from './hold-and-settle.ts'
import { keptEnds } from './kept-ends.ts'
import { keepSection, writePerformancePage } from './performance-page.ts'
import { refusals } from './refusals.ts'
import { replyShapes } from './reply-shapes.ts'
import { requestLog } from './request-log.ts'
import { ROUNDS } from './rounds.ts'
import { smallRoute } from './small-route.ts'
import { textImage } from './text-image.ts'
import { textManyStreams } from './text-many-streams.ts'
import { requestLogCpu, textOverhead, usageRollups } from './text-overhead.ts'
import { textSockets } from './text-sockets.ts'
import { textStarts } from './text-starts.ts'
import { textAtOnce, textChat, textSizes, textStream, textTls, textWhole } from './text-ways.ts'
import { twoWorkers } from './two-workers.ts'
import { usageReport } from './usage-report.ts'
import { videoCreate } from './video-create.ts'
import { videoSweep } from './video-sweep.ts'

/**
 * Everything compared in one run, on this machine, side by side. `npm run bench` runs all and writes
 * docs/performance.md; `npm run bench [name ...]` runs some and prints them, and writes the page with `--page`;
 * `--quick` only checks that they run.
 */
const BENCHMARKS: Record<string, () => Promise<Figures[]>> = {
  'text-whole': textWhole,
  'text-stream': textStream,
  'text-starts': textStarts,
  'text-chat': textChat,
  'text-at-once': textAtOnce,
  'text-tls': textTls,
  'text-sizes': textSizes,
  'text-many-streams': textManyStreams,
  'text-sockets': textSockets,
  'small-route': smallRoute,
  refusals,
  'cold-start': coldStart,
  'hold-and-settle': holdAndSettle,
  'video-create': videoCreate,
  'video-sweep': videoSweep,
  growth,
  'two-workers': twoWorkers,
  'text-image': textImage,
  'body-shapes': bodyShapes,
  'reply-shapes': replyShapes,
  'text-overhead': textOverhead,
  'usage-rollups': usageRollups,
  'request-log-cpu': requestLogCpu,
  allowances,
  'asset-list': assetList,
  'usage-report': usageReport,
}

/** Run only by name. */
const BY_NAME: typeof BENCHMARKS = {
  'growth-10m': growthOfMost,
  'console-at-size': consoleAtSize,
  'kept-ends': keptEnds,
  'request-log': requestLog,
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const writesPage = wanted.length === 0 || process.argv.includes('--page')
const all = { ...BENCHMARKS, ...BY_NAME }
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.`)
  process.exit(2)
}

console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${ROUNDS} rounds\n`)
for (const [name, run] of Object.entries(wanted.length === 0 ? BENCHMARKS : all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`## ${name}`)
  const began = performance.now()
  try {
    const figures = await run()
    for (const found of figures) showFigures(found)
    keepSection({ name, figures })
  } catch (error) {
    // The other results are still useful; the page names the missing ones.
    console.error(error)
    keepSection({ name, figures: [], failed: String(error) })
    process.exitCode = 1
  }
  console.log(`(${((performance.now() - began) / 1_000).toFixed(0)} s)\n`)
  // Written after each benchmark, so that an interrupted run keeps its results.
  if (writesPage) writePerformancePage(Object.keys(all))
}
