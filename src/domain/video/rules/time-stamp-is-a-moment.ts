import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A negative time stamp, or one that is not a number, is not a point in a video. */
export const timeStampIsAMoment: VideoRule<TaskTypeContent> = ({ items }) => {
  const wrong = items.find(
    (item) => item.kind === 'image' && item.role === 'mid_frame' && !isMoment(item.timeStampSeconds),
  )
  if (wrong === undefined) return accept
  return reject(
    placeOf(wrong, 'time_stamp'),
    `${placeOf(wrong, 'time_stamp')} must be a number of seconds that is not negative.`,
  )
}

function isMoment(seconds: number | undefined): boolean {
  return seconds === undefined || (seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER)
}
