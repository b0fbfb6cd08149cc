import { splitModelName } from '../../../catalog/model.ts'
import type { VideoRequest } from '../../request.ts'
import { checkRules } from '../../rules/rule.ts'
import { defineFamily } from '../family.ts'
import { orderOptions } from '../order-options.ts'
import { buildWork } from './build-work.ts'
import { chooseTaskType } from './choose-task-type.ts'
import type { FamilyBModel } from './model.ts'
import type { FamilyBOrder } from './order.ts'
import { FAMILY_B_RULES, TASK_TYPE_RULES } from './rules.ts'
import { settleItems } from './settle-items.ts'
import { useOf } from './use-of.ts'

/** Every request is of one task type, which has rules of its own. */
export const familyB = defineFamily<FamilyBModel, FamilyBOrder>({
  priceUnit: 'second',
  takesNotices: false,
  canDelete: false,
  showsRealPeople: false,
  unusedFields: ['draft', 'framespersecond', 'seed', 'service_tier'],
  models: {
    'vendorB/gen-v4-std': { version: 'v4', mode: 'std', canMakeAudio: true },
    'vendorB/gen-v4-fast': { version: 'v4', mode: 'fast', canMakeAudio: false },
    'vendorB/gen-v3': { version: 'v3', mode: undefined, canMakeAudio: true },
  },
  prepare(request, model) {
    const order = prepareOrder(request, model)
    return { order, use: useOf(order) }
  },
})

/** First what holds for the model whatever it makes, then the task type, then the rules of that. */
function prepareOrder(request: VideoRequest, model: FamilyBModel): FamilyBOrder {
  checkRules(FAMILY_B_RULES, { request, model })
  const taskType = chooseTaskType(request, model)
  const items = settleItems(request.items, taskType)
  checkRules(TASK_TYPE_RULES[taskType], { items, taskType })
  return {
    family: 'b',
    model: splitModelName(request.model).model,
    mode: model.mode,
    work: buildWork(taskType, items),
    options: orderOptions(request),
  }
}
