import { FAULT_KINDS } from './parts/faults.ts'
import { type SimulationEnd, type SimulationSettings, simulate } from './simulation.ts'

/** A failing run without everything that the failure does not need. */
export interface Reduced {
  settings: SimulationSettings
  end: SimulationEnd
  /** Number of runs. */
  tries: number
}

/**
 * Shortens a failing run while it breaks the same rule: fewer events, fewer kinds of faults, fewer organizations and
 * replicas. `makePlant` makes the plant again for each run.
 */
export async function reduce(
  failing: SimulationSettings,
  end: SimulationEnd,
  makePlant: () => SimulationSettings['plant'],
): Promise<Reduced> {
  const rule = end.violation?.rule
  let settings = { ...failing, steps: Math.min(failing.steps, end.events) }
  let tries = 0

  async function keepIfItFails(change: Partial<SimulationSettings>): Promise<boolean> {
    tries += 1
    const tried = { ...settings, ...change, plant: makePlant() }
    const { violation } = await simulate(tried)
    if (violation?.rule !== rule) return false
    settings = tried
    return true
  }

  for (const kind of FAULT_KINDS)
    if (!settings.without.has(kind)) await keepIfItFails({ without: new Set([...settings.without, kind]) })
  while (settings.organizations > 1 && (await keepIfItFails({ organizations: settings.organizations - 1 })));
  while (settings.replicas > 1 && (await keepIfItFails({ replicas: settings.replicas - 1 })));
  for (let part = Math.floor(settings.steps / 2); part >= 20; part = Math.floor(part / 2))
    while (settings.steps > part && (await keepIfItFails({ steps: settings.steps - part })));
  const shown = await simulate({ ...settings, plant: makePlant(), keepsTrace: true })
  return { settings, end: shown, tries: tries + 1 }
}
