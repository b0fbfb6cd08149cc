/** Usage added up by hour and by day, and the charges behind the sums. */
export interface UsageReportStore {
  /**
   * Adds charges to the rollups that are not in them: from before there were rollups, or of an older replica beside this
   * one. Returns how many entries, at most `limit` of text and as many of video.
   */
  countLate(pass: { limit: number }): Promise<number>
  /**
   * Drops usage rows of text and rollups of hours that are older than these moments, which are beginnings of days in UTC.
   * Returns how many, at most `limit` of each.
   */
  dropOld(pass: { rowsBeforeMs: number; hoursBeforeMs: number; limit: number }): Promise<number>
}
