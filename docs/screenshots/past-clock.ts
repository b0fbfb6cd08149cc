import { readFileSync } from 'node:fs'

/**
 * Loaded before the gateway whose pictures are taken, in all of its threads: its clock stands 23 hours back, and from the
 * moment in the file it jumps an hour ahead each second until it is right, so that half a minute of traffic fills the charts.
 */
const HOUR_MS = 3_600_000
const HOURS = 23
const STEP_MS = 1_000
const FILE = process.env.PAST_CLOCK_FILE ?? ''
const READ_EVERY_MS = 50
const RealDate = Date
let startedMs = Number.POSITIVE_INFINITY
let readMs = 0

function nowMs(): number {
  const realMs = RealDate.now()
  if (startedMs === Number.POSITIVE_INFINITY && realMs - readMs > READ_EVERY_MS) {
    readMs = realMs
    startedMs = readStart()
  }
  const steps = Math.max(0, Math.floor((realMs - startedMs) / STEP_MS))
  return realMs - Math.max(0, HOURS - steps) * HOUR_MS
}

function readStart(): number {
  try {
    return Number(readFileSync(FILE, 'utf8'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(nowMs())
    else super(...(given as [number]))
  }
  static override now(): number {
    return nowMs()
  }
} as DateConstructor
