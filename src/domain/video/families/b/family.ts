import type { VideoUse } from '../../../billing/estimate-video-cost.ts'
import { UNKNOWN_REFERENCE_SECONDS } from '../../../billing/estimate-video-tokens.ts'
import { splitModelName } from '../../../catalog/model.ts'
import type { ContentItem, MediaItem, VideoRequest } from '../../request.ts'
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
import {
  checkRules,
  type FamilyBRequest,
  reject,
  type TaskTypeContent,
  type VideoRule,
} from '../../rules/rule.ts'
import { somethingIsLeft } from '../../rules/something-is-left.ts'
import { taskTypeFitsTheModel } from '../../rules/task-type-fits-the-model.ts'
import { taskTypeIsKnown } from '../../rules/task-type-is-known.ts'
import { timeStampIsAMoment } from '../../rules/time-stamp-is-a-moment.ts'
import { videoHasATagOfItsOwn } from '../../rules/video-has-a-tag-of-its-own.ts'
import { defineFamily } from '../family.ts'
import { orderOptions } from '../order-options.ts'
import { mediaOf, promptOf } from './media-of.ts'
import type {
  FamilyBModel,
  FamilyBOrder,
  FamilyBVersion,
  FamilyBWork,
  OmniImage,
  OmniVideo,
} from './order.ts'
import { isTaskType, SPECIAL_TEXT_ROLES, TASK_TYPES, type TaskType, taskTypesOf } from './task-types.ts'

/** Every request has one task type, which has rules of its own. */
export const familyB = defineFamily<FamilyBModel, FamilyBOrder>({
  priceUnit: 'second',
  takesNotices: false,
  canDelete: false,
  showsRealPeople: false,
  unusedFields: ['draft', 'framespersecond', 'return_last_frame', 'seed', 'service_tier', 'watermark'],
  modes: Object.keys(TASK_TYPES),
  models: {
    'vendorB/gen-v4-std': { version: 'v4', mode: 'std', canMakeAudio: true },
    'vendorB/gen-v4-fast': { version: 'v4', mode: 'fast', canMakeAudio: false },
    'vendorB/gen-v3': { version: 'v3', mode: undefined, canMakeAudio: true },
  },
  prepare(request, model) {
    const order = prepareOrder(request, model)
    return { order, use: useOf(order), mode: order.work.taskType }
  },
})

/** Checks the rules of the model, chooses the task type, then checks the rules of the task type. */
function prepareOrder(request: VideoRequest, model: FamilyBModel): FamilyBOrder {
  checkRules(FAMILY_B_RULES, { request, model })
  const taskType = chooseTaskType(request, model)
  const items = normalizeItems(request.items, taskType)
  checkRules(TASK_TYPE_RULES[taskType], { items, taskType })
  return {
    family: 'b',
    model: splitModelName(request.model).model,
    mode: model.mode,
    work: BUILDERS[taskType](items),
    options: orderOptions(request),
  }
}

function chooseTaskType(request: VideoRequest, { version }: FamilyBModel): TaskType {
  const given = request.taskType
  const chosen = given !== undefined && isTaskType(given) ? given : inferTaskType(request.items, version)
  if (chosen !== undefined) return chosen
  throw reject(
    'task_type',
    `The content fits no task type of this model. Set task_type to one of ${taskTypesOf(version)} and send what it needs.`,
    'missing_parameter',
  )
}

/** undefined: the content fits no task type of the version. */
function inferTaskType(items: readonly ContentItem[], version: FamilyBVersion): TaskType | undefined {
  return version === 'v4' ? inferV4(items) : inferV3(items)
}

/** Images may come with a video or a sound, so video and sound decide first. */
function inferV4(items: readonly ContentItem[]): TaskType {
  if (has(items, 'video') || has(items, 'audio')) return 'omni-video'
  return has(items, 'image') ? 'image-to-video' : 'text-to-video'
}

/** Task types with a special text also have a video, so they come first. */
function inferV3(items: readonly ContentItem[]): TaskType | undefined {
  const hasPrefix = has(items, 'video', 'prefix_video')
  if (hasPrefix && has(items, 'text', 'cut_type')) return 'cutshot'
  if (has(items, 'video') && has(items, 'text', 'style_name')) return 'restyling'
  if (hasPrefix) return 'extension'
  return has(items, 'image') && !has(items, 'video') ? 'reference' : undefined
}

function has(items: readonly ContentItem[], kind: ContentItem['kind'], role?: string): boolean {
  return items.some((item) => item.kind === kind && (role === undefined || item.role === role))
}

/**
 * Normalizes the items for the task type: fills in default roles, drops roles without a meaning, and adds `@` to tags.
 * Drops a special text of another task type, which would change the video if it became part of the prompt.
 */
function normalizeItems(items: readonly ContentItem[], taskType: TaskType): ContentItem[] {
  const { media, textRole } = TASK_TYPES[taskType]
  return items.flatMap((item): ContentItem[] => {
    if (item.kind === 'text') {
      const special = SPECIAL_TEXT_ROLES.find((role) => role === item.role)
      return special === undefined || special === textRole ? [{ ...item, role: special }] : []
    }
    const { roles, defaultRole } = media[item.kind] ?? {}
    const role = roles === undefined ? undefined : (item.role ?? defaultRole)
    return [{ ...item, role, tag: withAtSign(item.tag) }]
  })
}

/** The vendor's prompts name media by `@name`. */
function withAtSign(tag: string | undefined): string | undefined {
  return tag === undefined || tag.startsWith('@') ? tag : `@${tag}`
}

/** A video reference only decides which price applies; its length has no effect. */
function useOf({ work, options }: Pick<FamilyBOrder, 'work' | 'options'>): Omit<VideoUse, 'unit'> {
  return {
    resolution: options.resolution,
    ratio: options.ratio,
    // A restyled video is as long as its source. The vendor does not get `duration`.
    seconds: work.taskType === 'restyling' ? UNKNOWN_REFERENCE_SECONDS : options.durationSeconds,
    referenceSeconds: takesVideo(work) ? [null] : [],
    audio: options.generateAudio ?? false,
  }
}

/** Only omni-video may come with a video or without one. */
function takesVideo(work: FamilyBWork): boolean {
  if (work.taskType === 'omni-video') return work.video !== undefined
  return TASK_TYPES[work.taskType].media.video !== undefined
}

// The client gets the error of the first broken rule. These rules see only the request; rules about the owner of an asset
// run where assets are looked up.

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

/** Builds the work of an order from normalized items that have passed the rules of their task type. */
const BUILDERS: Readonly<Record<TaskType, (items: readonly ContentItem[]) => FamilyBWork>> = {
  'text-to-video': (items) => ({ taskType: 'text-to-video', prompt: promptOf(items) }),
  'image-to-video': (items) => ({
    taskType: 'image-to-video',
    prompt: promptOf(items),
    firstFrame: mediaOf(items, 'image', 'first_frame')[0]?.url,
    endFrame: mediaOf(items, 'image', 'end_frame')[0]?.url,
    midFrames: mediaOf(items, 'image', 'mid_frame').map(({ tag, url, timeStampSeconds }) => ({
      tag: assured(tag),
      url,
      timeStampSeconds: timeStampSeconds === undefined ? undefined : Math.trunc(timeStampSeconds),
    })),
  }),
  'omni-video': buildOmniVideo,
  reference: (items) => ({
    taskType: 'reference',
    prompt: promptOf(items),
    images: mediaOf(items, 'image').map(({ url }) => url),
  }),
  extension: (items) => ({
    taskType: 'extension',
    prompt: promptOf(items),
    prefixVideo: assured(mediaOf(items, 'video')[0]).url,
  }),
  cutshot: (items) => ({
    taskType: 'cutshot',
    prompt: promptOf(items),
    prefixVideo: assured(mediaOf(items, 'video')[0]).url,
    cutType: specialText(items),
  }),
  restyling: (items) => ({
    taskType: 'restyling',
    videoUrl: assured(mediaOf(items, 'video')[0]).url,
    styleName: specialText(items),
  }),
}

/** Returns the trimmed text, because the vendor looks up the name. */
function specialText(items: readonly ContentItem[]): string {
  const item = items.find(({ kind, role }) => kind === 'text' && role !== undefined)
  return assured(item?.kind === 'text' ? item.text : undefined).trim()
}

function buildOmniVideo(items: readonly ContentItem[]): FamilyBWork {
  return {
    taskType: 'omni-video',
    prompt: promptOf(items),
    images: omniImages(items),
    video: mediaOf(items, 'video').map(toOmniVideo)[0],
  }
}

/** Images with one tag are one reference; tags keep the order in which they first appear. */
function omniImages(items: readonly ContentItem[]): OmniImage[] {
  const byTag = Map.groupBy(mediaOf(items, 'image'), ({ tag }) => assured(tag))
  const audios = mediaOf(items, 'audio')
  return [...byTag].map(([tag, images]) => ({
    tag,
    type: images.some(({ role }) => role === 'grid') ? 'grid' : 'image',
    urls: images.map(({ url }) => url),
    audioUrl: audios.find((audio) => audio.tag === tag)?.url,
  }))
}

function toOmniVideo({ tag, role, url }: MediaItem): OmniVideo {
  return { tag: assured(tag), type: role === 'extend' ? 'extend' : 'reference', url }
}

/** Asserts a value that a rule guarantees. A missing value means that a rule is missing from its list. */
function assured<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('The video rules accepted a request without a needed value.')
  return value
}
