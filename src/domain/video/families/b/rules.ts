import { audioBelongsToAnImage } from '../../rules/audio-belongs-to-an-image.ts'
import { audioComesOncePerTag } from '../../rules/audio-comes-once-per-tag.ts'
import { endFramesComeOnce } from '../../rules/end-frames-come-once.ts'
import { extendStandsWithoutImages } from '../../rules/extend-stands-without-images.ts'
import { fastModelMakesNoAudio } from '../../rules/fast-model-makes-no-audio.ts'
import { framesNeedOneImage } from '../../rules/frames-need-one-image.ts'
import { gridHasOneImage } from '../../rules/grid-has-one-image.ts'
import { mediaFitTheTaskType } from '../../rules/media-fit-the-task-type.ts'
import { mediaNeedATag } from '../../rules/media-need-a-tag.ts'
import { midFrameNeedsATag } from '../../rules/mid-frame-needs-a-tag.ts'
import { midFrameTagsDiffer } from '../../rules/mid-frame-tags-differ.ts'
import { needsAPrefixVideo } from '../../rules/needs-a-prefix-video.ts'
import { needsAPrompt } from '../../rules/needs-a-prompt.ts'
import { needsAVideo } from '../../rules/needs-a-video.ts'
import { needsItsSpecialText } from '../../rules/needs-its-special-text.ts'
import { oneVideoAtMost } from '../../rules/one-video-at-most.ts'
import { referenceTakesOneToFourImages } from '../../rules/reference-takes-one-to-four-images.ts'
import { rolesFitTheTaskType } from '../../rules/roles-fit-the-task-type.ts'
import type { FamilyBRequest, TaskTypeContent, VideoRule } from '../../rules/rule.ts'
import { somethingIsLeft } from '../../rules/something-is-left.ts'
import { taskTypeFitsTheModel } from '../../rules/task-type-fits-the-model.ts'
import { taskTypeIsKnown } from '../../rules/task-type-is-known.ts'
import { timeStampIsAMoment } from '../../rules/time-stamp-is-a-moment.ts'
import { videoHasATagOfItsOwn } from '../../rules/video-has-a-tag-of-its-own.ts'
import type { TaskType } from './task-types.ts'

// The client gets the error of the first broken rule. Rules about the owner of an asset, such as those of real people,
// run where assets are looked up: the rules here see the request alone.

/** Rules that apply before the task type is chosen. */
export const FAMILY_B_RULES: readonly VideoRule<FamilyBRequest>[] = [
  taskTypeIsKnown,
  taskTypeFitsTheModel,
  fastModelMakesNoAudio,
]

export const TASK_TYPE_RULES: Readonly<Record<TaskType, readonly VideoRule<TaskTypeContent>[]>> = {
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
