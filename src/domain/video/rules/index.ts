import type { TaskType } from '../family-b/task-types.ts'
import { audioBelongsToAnImage } from './audio-belongs-to-an-image.ts'
import { audioComesOncePerTag } from './audio-comes-once-per-tag.ts'
import { audioNeedsAVisual } from './audio-needs-a-visual.ts'
import { endFramesComeOnce } from './end-frames-come-once.ts'
import { extendStandsWithoutImages } from './extend-stands-without-images.ts'
import { fastModelMakesNoAudio } from './fast-model-makes-no-audio.ts'
import { framesNeedOneImage } from './frames-need-one-image.ts'
import { gridHasOneImage } from './grid-has-one-image.ts'
import { mediaFitTheTaskType } from './media-fit-the-task-type.ts'
import { mediaNeedATag } from './media-need-a-tag.ts'
import { midFrameNeedsATag } from './mid-frame-needs-a-tag.ts'
import { midFrameTagsDiffer } from './mid-frame-tags-differ.ts'
import { needsAPrefixVideo } from './needs-a-prefix-video.ts'
import { needsAPrompt } from './needs-a-prompt.ts'
import { needsAVideo } from './needs-a-video.ts'
import { needsItsSpecialText } from './needs-its-special-text.ts'
import { oneVideoAtMost } from './one-video-at-most.ts'
import { referenceTakesOneToFourImages } from './reference-takes-one-to-four-images.ts'
import { rolesFitTheTaskType } from './roles-fit-the-task-type.ts'
import type { Content, FamilyBRequest, Rule, TaskTypeContent } from './rule.ts'
import { somethingIsLeft } from './something-is-left.ts'
import { taskTypeFitsTheModel } from './task-type-fits-the-model.ts'
import { taskTypeIsKnown } from './task-type-is-known.ts'
import { timeStampIsAMoment } from './time-stamp-is-a-moment.ts'
import { videoHasATagOfItsOwn } from './video-has-a-tag-of-its-own.ts'

// The first rule that is broken is the one the client hears of. Rules that need to know whose an asset is, such as
// those of real people, are asked where assets are looked up: a list here knows the request alone.

export const FAMILY_A_RULES: readonly Rule<Content>[] = [audioNeedsAVisual]

/** Before the task type is chosen. */
export const FAMILY_B_RULES: readonly Rule<FamilyBRequest>[] = [
  taskTypeIsKnown,
  taskTypeFitsTheModel,
  fastModelMakesNoAudio,
]

export const TASK_TYPE_RULES: Readonly<Record<TaskType, readonly Rule<TaskTypeContent>[]>> = {
  'text-to-video': [somethingIsLeft, mediaFitTheTaskType],
  'image-to-video': [
    mediaFitTheTaskType,
    rolesFitTheTaskType,
    framesNeedOneImage,
    endFramesComeOnce,
    midFrameNeedsATag,
    midFrameTagsDiffer,
    timeStampIsAMoment,
  ],
  'omni-video': [
    somethingIsLeft,
    rolesFitTheTaskType,
    mediaNeedATag,
    gridHasOneImage,
    oneVideoAtMost,
    extendStandsWithoutImages,
    videoHasATagOfItsOwn,
    audioBelongsToAnImage,
    audioComesOncePerTag,
  ],
  reference: [mediaFitTheTaskType, referenceTakesOneToFourImages, needsAPrompt],
  extension: [mediaFitTheTaskType, rolesFitTheTaskType, needsAPrefixVideo, oneVideoAtMost, needsAPrompt],
  cutshot: [mediaFitTheTaskType, rolesFitTheTaskType, needsAPrefixVideo, oneVideoAtMost, needsItsSpecialText],
  restyling: [mediaFitTheTaskType, needsAVideo, oneVideoAtMost, needsItsSpecialText],
}
