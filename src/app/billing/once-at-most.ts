import { ApiError } from '../../domain/api-error.ts'

/** The store may have written before its answer was lost. The error says how to repeat the act without doing it twice. */
export async function onceAtMost<Written>(
  write: () => Promise<Written>,
  /** `act` has the phrases of the message, such as `added` and `adds it`. */
  { entryId, act }: { entryId: string; act: { was: string; does: string } },
): Promise<Written> {
  try {
    return await write()
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'store_unavailable') throw cause
    throw new ApiError('store_unavailable', {
      message: `The store did not answer: whether it was ${act.was} is not known. Repeat the command with --entry ${entryId}, which ${act.does} once at most.`,
      cause,
    })
  }
}
