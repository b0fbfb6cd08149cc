import { allowances } from './allowances.ts'
import { coldStart } from './cold-start.ts'
import { holdAndSettle } from './hold-and-settle.ts'
import { smallRoute } from './small-route.ts'

/** Everything compared in one run, on this machine, side by side. `npm run bench [name ...]` picks some. */
const BENCHMARKS = {
  'small-route': smallRoute,
  'cold-start': coldStart,
  'hold-and-settle': holdAndSettle,
  allowances,
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
