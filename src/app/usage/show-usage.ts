import { ApiError } from '../../domain/api-error.ts'
import type { TextCharge, UsageReportStore, VideoCharge } from '../../ports/usage-reports.ts'

export type ShownCharge = { kind: 'text'; charge: TextCharge } | { kind: 'video'; charge: VideoCharge }

/** Finds a charge by the request id of a response, the id of a usage row, or the id of a task. */
export type ShowUsage = (id: string) => Promise<ShownCharge>

export function showUsage(input: {
  usageReports: Pick<UsageReportStore, 'findText' | 'findVideo'>
}): ShowUsage {
  const { usageReports } = input
  return async (id) => {
    const text = id.startsWith('task_') ? undefined : await usageReports.findText(id)
    if (text !== undefined) return { kind: 'text', charge: text }
    const video = await usageReports.findVideo(id)
    if (video !== undefined) return { kind: 'video', charge: video }
    throw new ApiError('not_found', {
      message: `Nothing was charged for ${id}. It never reached a vendor, has not ended, or its row is past its retention.`,
    })
  }
}
