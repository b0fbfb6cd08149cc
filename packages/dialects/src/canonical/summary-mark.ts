/** Stands before a summary that is given to a model in place of the conversation it sums up. */
export const SUMMARY_MARK = '[Summary of the earlier conversation:]'
