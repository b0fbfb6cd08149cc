export interface RequestLabels {
  operation: string
  method: string
  status: number
}

export interface RequestTally {
  note(operation: string, method: string, status: number, seconds: number): void
  /** Hands on what was noted since the last time. */
  handOn(): void
}

const NOTES_MAX = 512

/**
 * Notes finished requests as two numbers each and hands them on many at a time: counted one by one between other work,
 * they cost ten times as much.
 */
export function tallyRequests(observe: (labels: RequestLabels, seconds: number) => void): RequestTally {
  const labelSets: RequestLabels[] = []
  const numbersByOperation = new Map<string, number[]>()
  const notedLabels = new Uint32Array(NOTES_MAX)
  const notedSeconds = new Float64Array(NOTES_MAX)
  let noted = 0

  return {
    note(operation, method, status, seconds) {
      notedLabels[noted] = numberOf(operation, method, status)
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

  /** An operation answers with a handful of statuses, so a look along its list is the quickest way to the right one. */
  function numberOf(operation: string, method: string, status: number): number {
    const numbers = numbersByOperation.get(operation) ?? []
    for (const number of numbers) {
      const labels = labelSets[number]
      if (labels?.status === status && labels.method === method) return number
    }
    numbersByOperation.set(operation, [...numbers, labelSets.length])
    return labelSets.push({ operation, method, status }) - 1
  }
}
