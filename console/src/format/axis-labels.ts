/**
 * Shows each label once, and only for whole values: requests and micros have no fractions. Without a visible line, and for
 * tiny amounts, every tick would have the label $0.00.
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
