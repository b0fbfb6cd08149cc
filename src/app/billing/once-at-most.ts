import { ApiError } from '../../domain/api-error.ts'

/** The words for an act, such as `added` and `adds it`. */
interface Act {
  was: string
  does: string
}

/** The store may have written it before it was lost: the error says how to repeat the act without doing it twice. */
export async function onceAtMost<Written>(
  write: () => Promise<Written>,
  { entryId, act }: { entryId: string; act: Act },
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
