import { allowances } from './allowances.ts'
import { assetList } from './asset-list.ts'
import { bodyShapes } from './body-shapes.ts'
import { coldStart } from './cold-start.ts'
import { holdAndSettle } from './hold-and-settle.ts'
import { smallRoute } from './small-route.ts'
import { taskList } from './task-list.ts'
import { textImage } from './text-image.ts'
import { textManyStreams } from './text-many-streams.ts'
import { textOverhead, usageRollups } from './text-overhead.ts'
import { textStream } from './text-stream.ts'
import { textWhole } from './text-whole.ts'
import { usageReport } from './usage-report.ts'
import { videoCreate } from './video-create.ts'
import { videoSweep } from './video-sweep.ts'

/** Everything compared in one run, on this machine, side by side. `npm run bench [name ...]` picks some. */
const BENCHMARKS = {
  'small-route': smallRoute,
  'cold-start': coldStart,
  'hold-and-settle': holdAndSettle,
  allowances,
  'video-create': videoCreate,
  'video-sweep': videoSweep,
  'task-list': taskList,
  'asset-list': assetList,
  'text-whole': textWhole,
  'text-stream': textStream,
  'text-many-streams': textManyStreams,
  'text-overhead': textOverhead,
  'text-image': textImage,
  'body-shapes': bodyShapes,
  'usage-report': usageReport,
  'usage-rollups': usageRollups,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`,
  )
  process.exit(2)
}

console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}\n`)
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`## ${name}`)
  await run()
  console.log('')
}
