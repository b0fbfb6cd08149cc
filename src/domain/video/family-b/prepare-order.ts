import type { FamilyBModel } from '../models.ts'
import type { FamilyBOrder } from '../order.ts'
import { orderOptions } from '../order-options.ts'
import type { VideoRequest } from '../request.ts'
import { FAMILY_B_RULES, TASK_TYPE_RULES } from '../rules/index.ts'
import { checkRules } from '../rules/rule.ts'
import { buildWork } from './build-work.ts'
import { chooseTaskType } from './choose-task-type.ts'
import { settleItems } from './settle-items.ts'

/** First what holds for the model whatever it makes, then the task type, then the rules of that. */
export function prepareFamilyBOrder(request: VideoRequest, model: FamilyBModel): FamilyBOrder {
  checkRules(FAMILY_B_RULES, { request, model })
  const taskType = chooseTaskType(request, model)
  const items = settleItems(request.items, taskType)
  checkRules(TASK_TYPE_RULES[taskType], { items, taskType })
  return { family: 'b', model: model.model, work: buildWork(taskType, items), options: orderOptions(request) }
}
