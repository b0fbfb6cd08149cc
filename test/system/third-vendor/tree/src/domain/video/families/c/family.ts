import { splitModelName } from '../../../catalog/model.ts'
import type { Ratio } from '../../request.ts'
import { checkRules, placeOf, reject, type VideoContent, type VideoRule } from '../../rules/rule.ts'
import { defineFamily } from '../family.ts'

export interface FamilyCOrder {
  family: 'c'
  model: string
  script: string
  seconds: number | undefined
  ratio: Ratio | undefined
}

const takesTextAlone: VideoRule<VideoContent> = ({ items }) => {
  const media = items.find(({ kind }) => kind !== 'text')
  return (
    media && reject(placeOf(media, 'type'), 'This model takes text items only.', 'unsupported_combination')
  )
}

/** Makes videos of words alone, and sells them by the second. */
export const familyC = defineFamily({
  priceUnit: 'second',
  takesNotices: false,
  canDelete: false,
  showsRealPeople: false,
  unusedFields: [
    'task_type',
    'resolution',
    'seed',
    'framespersecond',
    'generate_audio',
    'draft',
    'service_tier',
    'watermark',
    'return_last_frame',
  ],
  models: { 'vendorX/short': {} },
  prepare(request) {
    checkRules([takesTextAlone], request)
    const { items, durationSeconds: seconds, ratio } = request
    const texts = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
    const { model } = splitModelName(request.model)
    const order: FamilyCOrder = { family: 'c', model, script: texts.join('\n'), seconds, ratio }
    return {
      order,
      use: { resolution: undefined, ratio, seconds, referenceSeconds: [], audio: false },
    }
  },
})
