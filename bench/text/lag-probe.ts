import { writeFileSync } from 'node:fs'

/**
 * Loaded into a gateway with `--import`: on SIGUSR2 it writes the event loop's longest turn since the last time, by the
 * clock and by the CPU time of its thread. The second excludes all other load.
 */
const file = process.env.BENCH_LAG_FILE ?? ''
let atMs = performance.now()
let cpuMs = threadCpuMs()
let longest = { wallMs: 0, cpuMs: 0 }

const timer = setInterval(() => {
  const nowMs = performance.now()
  const nowCpuMs = threadCpuMs()
  longest.wallMs = Math.max(longest.wallMs, nowMs - atMs)
  longest.cpuMs = Math.max(longest.cpuMs, nowCpuMs - cpuMs)
  atMs = nowMs
  cpuMs = nowCpuMs
}, 1)
timer.unref()

process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify(longest))
  longest = { wallMs: 0, cpuMs: 0 }
})

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
