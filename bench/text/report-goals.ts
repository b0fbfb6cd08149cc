import { GOAL_ADDED_MS, GOAL_CONVERTED, GOAL_OTHER, GOAL_PASSED, verdict } from './goals.ts'
import type { Way } from './stage.ts'

export interface WayFigures {
  way: Way
  cpuMicrosPerRequest: number
  requestsPerSecond: number
  /** One request at a time, beside the same request straight to the upstream. */
  addedP50Ms: number
  addedP99Ms: number
}

/** What Sluice was to reach, and whether it did. */
export function reportGoals(figures: readonly WayFigures[]): void {
  const ours = figures.filter(({ way }) => way.kind === 'sluice')
  for (const figure of ours) {
    reportShare(figure, figures)
    reportOther(figure, figures)
  }
  for (const { way, addedP50Ms } of ours) {
    const reached = verdict(addedP50Ms < GOAL_ADDED_MS)
    console.log(
      `${way.name}: ${addedP50Ms.toFixed(2)} ms added p50 (goal under ${GOAL_ADDED_MS}: ${reached})`,
    )
  }
}

/** The bare pipe carries the same request of the same client. */
function reportShare({ way, cpuMicrosPerRequest }: WayFigures, figures: readonly WayFigures[]): void {
  const bare = figures.find((other) => other.way.kind === 'bare' && other.way.client === way.client)
  if (bare === undefined) return
  const share = bare.cpuMicrosPerRequest / cpuMicrosPerRequest
  const goal = way.isConverted ? GOAL_CONVERTED : GOAL_PASSED
  const reached = verdict(share >= goal)
  console.log(`${way.name}: ${percent(share)} of the bare pipe by CPU (goal ${percent(goal)}: ${reached})`)
}

/** A passage beside a passage, a conversion beside a conversion. */
function reportOther({ way, cpuMicrosPerRequest }: WayFigures, figures: readonly WayFigures[]): void {
  const other = figures.find(
    (found) => found.way.kind === 'portkey' && found.way.isConverted === way.isConverted,
  )
  if (other === undefined) return
  const times = other.cpuMicrosPerRequest / cpuMicrosPerRequest
  const reached = verdict(times >= GOAL_OTHER)
  console.log(
    `${way.name}: ${times.toFixed(1)} times less CPU than ${other.way.name} (goal ${GOAL_OTHER}: ${reached})`,
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
