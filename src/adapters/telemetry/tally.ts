/** Three labels of one thing that is counted and timed, such as operation, method and status. */
type Labels = readonly [string, string, string | number]

export interface Tally {
  note(first: string, second: string, third: string | number, seconds: number): void
  /** Hands on what was noted since the last time. */
  handOn(): void
}

const NOTES_MAX = 512

/**
 * Notes what has finished as two numbers each and hands it on many at a time: counted one by one between other work, it
 * costs ten times as much.
 */
export function createTally(observe: (labels: Labels, seconds: number) => void): Tally {
  const labelSets: Labels[] = []
  const numbersByFirst = new Map<string, number[]>()
  const notedLabels = new Uint32Array(NOTES_MAX)
  const notedSeconds = new Float64Array(NOTES_MAX)
  let noted = 0

  return {
    note(first, second, third, seconds) {
      notedLabels[noted] = numberOf(first, second, third)
      notedSeconds[noted] = seconds
      noted++
      if (noted === NOTES_MAX) handOn()
    },
    handOn,
  }

  function handOn(): void {
    for (let index = 0; index < noted; index++) {
      const labels = labelSets[notedLabels[index] ?? 0]
      if (labels !== undefined) observe(labels, notedSeconds[index] ?? 0)
    }
    noted = 0
  }

  /** Behind each first label there are a handful of others, so a look along their list is the quickest way. */
  function numberOf(first: string, second: string, third: string | number): number {
    const numbers = numbersByFirst.get(first) ?? []
    for (const number of numbers) {
      const labels = labelSets[number]
      if (labels?.[1] === second && labels[2] === third) return number
    }
    numbersByFirst.set(first, [...numbers, labelSets.length])
    return labelSets.push([first, second, third]) - 1
  }
}
