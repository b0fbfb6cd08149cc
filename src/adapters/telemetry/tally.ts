/** Three labels of one thing that is counted and timed, such as operation, method and status. */
type Labels = readonly [string, string, string | number]

export interface Tally {
  note(first: string, second: string, third: string | number, seconds: number): void
  /** Hands on what was noted since the last time. */
  handOn(): void
}

const NOTES_MAX = 512

export interface TallyTarget {
  /** So many have finished since the last time. */
  count(labels: Labels, times: number): void
  observe(labels: Labels, seconds: number): void
}

/**
 * Notes what has finished as two numbers each and hands it on many at a time: counted one by one between other work, it
 * costs ten times as much.
 */
export function createTally({ count, observe }: TallyTarget): Tally {
  const labelSets: Labels[] = []
  /** By the number of their labels. */
  const times: number[] = []
  const numbersByFirst = new Map<string, number[]>()
  const notedLabels = new Uint32Array(NOTES_MAX)
  const notedSeconds = new Float64Array(NOTES_MAX)
  let noted = 0

  return {
    note(first, second, third, seconds) {
      const number = numberOf(first, second, third)
      notedLabels[noted] = number
      notedSeconds[noted] = seconds
      times[number] = (times[number] ?? 0) + 1
      noted++
      if (noted === NOTES_MAX) handOn()
    },
    handOn,
  }

  function handOn(): void {
    for (const [number, labels] of labelSets.entries()) {
      const since = times[number] ?? 0
      if (since > 0) count(labels, since)
      times[number] = 0
    }
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
