import { randomBytes } from 'node:crypto'
import { clipRoutes } from '../clips/clip-routes.ts'
import { jsonReply, type SandboxPart, type SandboxReply, type SandboxRequest } from '../part.ts'
import { lifeOf, type Step } from '../tasks/life.ts'
import { authorise } from './authorise.ts'
import { deleteTask } from './delete-task.ts'
import { errorReply } from './error-reply.ts'
import { listTasks } from './list-tasks.ts'
import { createNotices } from './notices.ts'
import { readCreate } from './read-create.ts'
import { scriptedRefusal } from './scripted-refusal.ts'
import { nameTask } from './task.ts'
import { createTaskDesk, type TaskDesk } from './task-desk.ts'
import { taskObject } from './task-object.ts'

/** The stand-in for the vendor of family A: tasks with notices, which can be listed and deleted. */
export function createVendorA(): SandboxPart {
  const desk = createTaskDesk(createNotices())
  const path = '/api/v3/contents/generations/tasks'
  const guarded = (answer: (desk: TaskDesk, request: SandboxRequest) => SandboxReply) => ({
    handle(request: SandboxRequest) {
      const refusal = authorise(request.headers)
      return refusal === undefined ? answer(desk, request) : errorReply(refusal)
    },
  })
  return {
    name: 'vendor-a',
    routes: [
      { operation: 'create', method: 'POST', path, ...guarded(createTask) },
      { operation: 'list', method: 'GET', path, ...guarded(listTasks) },
      { operation: 'get', method: 'GET', path: `${path}/:id`, ...guarded(getTask) },
      { operation: 'delete', method: 'DELETE', path: `${path}/:id`, ...guarded(deleteTask) },
      ...clipRoutes(),
    ],
    close: () => desk.notices.close(),
  }
}

function createTask(desk: TaskDesk, { body, clock, url }: SandboxRequest): SandboxReply {
  const read = readCreate(body)
  if ('error' in read) return errorReply(read.error)
  const { order, callbackUrl } = read
  const refusal = scriptedRefusal(order.words)
  if (refusal !== undefined) return errorReply(refusal)

  const task = nameTask(order, { startMs: clock.nowMs(), nonce: randomBytes(6).toString('base64url') })
  const show = (step: Step) => taskObject(task, { step, clock, url })
  desk.created.set(task.id, true)
  if (callbackUrl !== undefined) {
    desk.notices.watch(task.id, {
      callbackUrl,
      steps: lifeOf(task, clock),
      words: task.words,
      clock,
      write: (step) => JSON.stringify(show(step)),
    })
  }
  const step = desk.find(task.id, clock)?.step
  const isRich = order.words.includes('rich') && step !== undefined
  return jsonReply(200, isRich ? show(step) : { id: task.id })
}

function getTask(desk: TaskDesk, { params, clock, url }: SandboxRequest): SandboxReply {
  const found = desk.find(params.id ?? '', clock)
  if (found === undefined) return errorReply(desk.notFound(params.id ?? ''))
  return jsonReply(200, taskObject(found.task, { step: found.step, clock, url }))
}
