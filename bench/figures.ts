/** Results of a benchmark: a row for each compared program, and its goal. */
export interface Figures {
  title: string
  /** Description of the run, for a reader of the page. */
  note?: string
  rows: Record<string, Record<string, number | string>>
  /** Name of the plotted column. */
  plotted?: string
  goals?: readonly Goal[]
}

export interface Goal {
  work: string
  figure: number
  unit: string
  bound: 'at least' | 'at most'
  goal: number
}

export function share(work: string, figure: number, goal: number): Goal {
  return { work, figure: figure * 100, unit: '%', bound: 'at least', goal: goal * 100 }
}

export function atMost(work: string, figure: number, goal: number, unit: string): Goal {
  return { work, figure, unit, bound: 'at most', goal }
}

export function atLeast(work: string, figure: number, goal: number, unit: string): Goal {
  return { work, figure, unit, bound: 'at least', goal }
}

/** The text of a goal's row: the goal, the result, and the distance. */
export function outcomeOf({ figure, unit, bound, goal }: Goal): {
  goal: string
  figure: string
  outcome: string
} {
  const isMet = bound === 'at least' ? figure >= goal : figure <= goal
  const distance = Math.abs(figure / goal - 1) * 100
  const side = bound === 'at least' ? 'below' : 'above'
  return {
    goal: `${bound} ${spell(goal)} ${unit}`,
    figure: `${spell(figure)} ${unit}`,
    outcome: isMet ? 'met' : `missed, ${spell(distance)} % ${side} the goal`,
  }
}

/** Three significant digits; more would be noise. */
export function spell(value: number | string): string {
  if (typeof value === 'string') return value
  if (Number.isInteger(value) && Math.abs(value) < 1_000) return String(value)
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export function showFigures({ title, note, rows, goals = [] }: Figures): void {
  console.log(title)
  if (note !== undefined) console.log(note)
  const spelled = Object.entries(rows).map(([name, row]) => [
    name,
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, spell(value)])),
  ])
  console.table(Object.fromEntries(spelled))
  for (const goal of goals) {
    const { goal: wanted, figure, outcome } = outcomeOf(goal)
    console.log(`${goal.work}: ${figure} (goal ${wanted}: ${outcome})`)
  }
}
