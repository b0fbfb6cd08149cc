/**
 * Returns a label for each tick, and '' for a tick that repeats a label or has a fraction: requests and micros are
 * whole. A chart whose lines are hidden, or with tiny amounts, would otherwise show $0.00 at every tick.
 */
export function labelsOf(ticks: readonly number[], format: (value: number) => string): string[] {
  const shown = new Set<string>()
  return ticks.map((tick) => {
    const label = Number.isInteger(tick) ? format(tick) : ''
    if (shown.has(label)) return ''
    shown.add(label)
    return label
  })
}
